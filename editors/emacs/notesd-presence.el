;;; notesd-presence.el --- Who else is in a note, and where -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Tells the daemon where point or the region is, where the daemon knows of
;; presence, and draws others' cursors and selections.  A selection is one in the
;; text of a version: it is drawn when that is the one shown, and moves along
;; with the text from then on.

;;; Code:

(require 'notesd)

(defface notesd-cursor '((t :inherit cursor))
  "Where somebody else's cursor is."
  :group 'notesd)

(defface notesd-selection '((t :inherit secondary-selection))
  "What somebody else has selected."
  :group 'notesd)

(defface notesd-who '((t :inherit shadow :height 0.8))
  "Whose cursor it is."
  :group 'notesd)

(defcustom notesd-presence t
  "Whether others are told where you are in a note, and are shown."
  :type 'boolean :group 'notesd)

(defconst notesd-presence-seconds 0.1 "How long it takes at least from one telling to the next.")

(defvar notesd-presence--timer nil "What tells where point is.")
(put 'notesd-presence--others 'permanent-local t)
(defvar notesd-presence--told nil "What was told last: (NOTE VERSION START END).")
(defvar-local notesd-presence--others nil
  "Who else is here: (DEPENDENT PARAMS OVERLAY), OVERLAY nil if not drawn yet.")

(defun notesd-presence-start ()
  "Tell and show who is in the note of this buffer."
  (add-hook 'post-command-hook #'notesd-presence--later nil t)
  (add-hook 'notesd-sync-changed-functions #'notesd-presence--draw nil t)
  (add-hook 'kill-buffer-hook #'notesd-presence--later nil t)
  (add-hook 'notesd-rpc-disconnected-functions #'notesd-presence--forget)
  (add-hook 'notesd-rpc-notification-functions #'notesd-presence--notified))

(defun notesd-presence-stop ()
  "Neither tell nor show any more who is in this buffer."
  (remove-hook 'post-command-hook #'notesd-presence--later t)
  (remove-hook 'notesd-sync-changed-functions #'notesd-presence--draw t)
  (remove-hook 'kill-buffer-hook #'notesd-presence--later t)
  (notesd-presence--forget-here)
  (notesd-presence--later))

(defun notesd-presence--on-p ()
  "Return whether there is presence."
  (and notesd-presence (notesd-rpc-capable-p "presence")))

;;; Telling

(defun notesd-presence--later ()
  "Tell soon where point is."
  (notesd-sync-clone-p)
  (when (and (notesd-presence--on-p) (not notesd-presence--timer))
    (setq notesd-presence--timer
          (run-with-timer notesd-presence-seconds nil
                          (lambda () (setq notesd-presence--timer nil) (notesd-presence--tell))))))

(defun notesd-presence--place ()
  "Return what is to be told: (NOTE VERSION START END), (NOTE VERSION), or nil.
A place is told only while what is shown is what the daemon has."
  (with-current-buffer (window-buffer (selected-window))
    (when notesd-sync-machine
      (let* ((m notesd-sync-machine) (mark (if (region-active-p) (mark) (point))))
        (append (list (notesd-machine-id m) (notesd-machine-version m))
                (when (equal (notesd-sync-text) (notesd-machine-shadow m))
                  (mapcar (lambda (offset)
                            (if (not (notesd-machine-bytes m)) offset
                              (caar (notesd-edits-to-bytes (notesd-machine-shadow m) (list (list offset offset ""))))))
                          (list (notesd-sync-offset (min (point) mark))
                                (notesd-sync-offset (max (point) mark))))))))))

(defun notesd-presence--tell ()
  "Tell where point is, if that is not known."
  (let ((place (and (notesd-presence--on-p) (notesd-presence--place))))
    (unless (or (not (notesd-presence--on-p)) (equal place notesd-presence--told)
                ;; It is told when the daemon has what was typed.
                (and place (null (nthcdr 2 place)) (equal (car place) (car notesd-presence--told))))
      (setq notesd-presence--told place)
      (pcase place
        ('nil (notesd-rpc-notify "presence.set" '(:note :null)))
        (`(,note ,version) (notesd-rpc-notify "presence.set" (list :note note :version version)))
        (`(,note ,version ,start ,end)
         (notesd-rpc-notify "presence.set" (list :note note :version version
                                                 :selection (list :start start :end end))))))))

;;; Showing

(defun notesd-presence--forget ()
  "Forget everybody: the connection is gone."
  (setq notesd-presence--told nil)
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer (notesd-presence--forget-here))))

(defun notesd-presence--forget-here ()
  "Forget who else is in the note of this buffer."
  (mapc #'notesd-presence--erase notesd-presence--others)
  (setq notesd-presence--others nil))

(defun notesd-presence--erase (other)
  "Take the overlay of OTHER away."
  (when (nth 2 other) (delete-overlay (nth 2 other))))

(defun notesd-presence--notified (method params)
  "Take the notification METHOD with PARAMS, if it is about who is where."
  (when (equal method "watch.reset")
    ;; Who is where is told again.
    (dolist (buffer (notesd-sync-buffers))
      (with-current-buffer buffer (notesd-presence--forget-here))))
  (when (and notesd-presence (equal method "presence.changed"))
    (let ((buffer (notesd-sync-buffer (plist-get params :note))) (dependent (plist-get params :dependent)))
      (when (and buffer (not (equal dependent (notesd-rpc-dependent))))
        (with-current-buffer buffer
          (let ((known (assq dependent notesd-presence--others)))
            (when known
              (notesd-presence--erase known)
              (setq notesd-presence--others (delq known notesd-presence--others))))
          (when (plist-get params :version)
            (push (list dependent params nil) notesd-presence--others))
          (notesd-presence--draw))))))

(defun notesd-presence--draw ()
  "Draw those who are not drawn yet and are in the version that is shown.
Then say again where point is: the version may be another one."
  (dolist (other notesd-presence--others)
    (pcase other
      (`(,_ ,params nil)
       (when (and (plist-get params :selection)
                  (equal (plist-get params :version) (notesd-machine-version notesd-sync-machine)))
         (setf (nth 2 other) (notesd-presence--overlay params))))))
  (notesd-presence--later))

(defun notesd-presence--overlay (params)
  "Return an overlay for the selection and the name in PARAMS, or nil."
  (condition-case nil
      (let* ((m notesd-sync-machine) (selection (plist-get params :selection))
             (edit (list (list (plist-get selection :start) (plist-get selection :end) "")))
             (edit (if (notesd-machine-bytes m) (notesd-edits-from-bytes (notesd-machine-shadow m) edit) edit))
             (start (notesd-sync-position (nth 0 (car edit)))) (end (notesd-sync-position (nth 1 (car edit))))
             (overlay (make-overlay start end nil t nil))
             (who (or (plist-get params :label) (plist-get (plist-get params :user) :name) "somebody")))
        (overlay-put overlay 'notesd-presence who)
        (overlay-put overlay 'face 'notesd-selection)
        (overlay-put overlay 'help-echo who)
        (overlay-put overlay 'after-string
                     (concat (propertize "|" 'face 'notesd-cursor) (propertize who 'face 'notesd-who)))
        overlay)
    (args-out-of-range nil)))

(provide 'notesd-presence)
;;; notesd-presence.el ends here
