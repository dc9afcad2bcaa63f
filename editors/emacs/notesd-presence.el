;;; notesd-presence.el --- Other people's cursors and selections -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; If the daemon supports presence, sends it the position of point or the
;; region, and draws the cursors and selections of others.  A selection refers
;; to the text of a version: it is drawn when that version is shown, and moves
;; with the text from then on.

;;; Code:

(require 'notesd)

(defface notesd-cursor '((t :inherit cursor))
  "Face for the cursors of others."
  :group 'notesd)

(defface notesd-selection '((t :inherit secondary-selection))
  "Face for the selections of others."
  :group 'notesd)

(defface notesd-who '((t :inherit shadow :height 0.8))
  "Face for the names next to the cursors of others."
  :group 'notesd)

(defcustom notesd-presence t
  "Whether to send your position in a note to others, and to show theirs."
  :type 'boolean :group 'notesd)

(defconst notesd-presence-seconds 0.1 "Minimum number of seconds between two updates.")

(defvar notesd-presence--timer nil "Timer for the next update, or nil.")
(put 'notesd-presence--others 'permanent-local t)
(defvar notesd-presence--told nil "The position sent last: (NOTE VERSION START END).")
(defvar-local notesd-presence--others nil
  "List of others here: (DEPENDENT PARAMS OVERLAY); OVERLAY is nil if not drawn.")

(defun notesd-presence-start ()
  "Send and show presence in this buffer's note."
  (add-hook 'post-command-hook #'notesd-presence--later nil t)
  (add-hook 'notesd-sync-changed-functions #'notesd-presence--draw nil t)
  (add-hook 'kill-buffer-hook #'notesd-presence--later nil t)
  (add-hook 'notesd-rpc-disconnected-functions #'notesd-presence--forget)
  (add-hook 'notesd-rpc-notification-functions #'notesd-presence--notified))

(defun notesd-presence-stop ()
  "Stop sending and showing presence in this buffer."
  (remove-hook 'post-command-hook #'notesd-presence--later t)
  (remove-hook 'notesd-sync-changed-functions #'notesd-presence--draw t)
  (remove-hook 'kill-buffer-hook #'notesd-presence--later t)
  (notesd-presence--forget-here)
  (notesd-presence--later))

(defun notesd-presence--on-p ()
  "Return whether presence is enabled and supported."
  (and notesd-presence (notesd-rpc-capable-p "presence")))

;;; Sending

(defun notesd-presence--later ()
  "Schedule an update of the position of point."
  (notesd-sync-clone-p)
  (when (and (notesd-presence--on-p) (not notesd-presence--timer))
    (setq notesd-presence--timer
          (run-with-timer notesd-presence-seconds nil
                          (lambda () (setq notesd-presence--timer nil) (notesd-presence--tell))))))

(defun notesd-presence--place ()
  "Return the position to send: (NOTE VERSION START END), (NOTE VERSION), or nil.
It has START and END only while the daemon has exactly the text shown."
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
  "Send the position of point, if it has changed."
  (let ((place (and (notesd-presence--on-p) (notesd-presence--place))))
    (unless (or (not (notesd-presence--on-p)) (equal place notesd-presence--told)
                ;; Send the position only once the daemon has what was typed.
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
  "Forget all presence after losing the connection."
  (setq notesd-presence--told nil)
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer (notesd-presence--forget-here))))

(defun notesd-presence--forget-here ()
  "Forget all presence in the note of this buffer."
  (mapc #'notesd-presence--erase notesd-presence--others)
  (setq notesd-presence--others nil))

(defun notesd-presence--erase (other)
  "Remove the overlay of OTHER."
  (when (nth 2 other) (delete-overlay (nth 2 other))))

(defun notesd-presence--notified (method params)
  "Handle the notification METHOD with PARAMS, if it concerns presence."
  (when (equal method "watch.reset")
    ;; The daemon sends all presence again.
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
  "Draw others whose version is the one shown, and who are not drawn yet.
Then update the position of point, because the version may have changed."
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
