;;; notesd-presence.el --- Other people's cursors and selections -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; If the daemon supports presence, sends it the position of point or the
;; region, and draws the cursors and selections of others.  A selection refers
;; to the text of a version: it is drawn when that version is shown, and moves
;; with the text from then on.  Nothing is drawn inside a line, where it would
;; move the text and the columns that line motion aims at: a cursor is a face on
;; the character after it, and the names are shown at the end of the line.

;;; Code:

(require 'notesd)
(require 'subr-x)

;; The face `cursor' has only a background, which on terminals may be the color of the text.
(defface notesd-cursor '((((class color)) :background "orange" :foreground "black") (t :inverse-video t))
  "Face for the characters at the cursors of others."
  :group 'notesd)

(defface notesd-selection '((t :inherit secondary-selection))
  "Face for the selections of others."
  :group 'notesd)

(defface notesd-who '((t :inherit shadow :height 0.8))
  "Face for the names of others, at the ends of the lines of their cursors."
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
(put 'notesd-presence--marks 'permanent-local t)
(defvar-local notesd-presence--marks nil
  "Overlays that show the cursors and the names of others.")

(defun notesd-presence-start ()
  "Send and show presence in this buffer's note."
  (add-hook 'post-command-hook #'notesd-presence--later nil t)
  (add-hook 'post-command-hook #'notesd-presence--mark nil t)
  (add-hook 'notesd-sync-changed-functions #'notesd-presence--draw nil t)
  (add-hook 'kill-buffer-hook #'notesd-presence--later nil t)
  (add-hook 'notesd-rpc-disconnected-functions #'notesd-presence--forget)
  (add-hook 'notesd-rpc-notification-functions #'notesd-presence--notified))

(defun notesd-presence-stop ()
  "Stop sending and showing presence in this buffer."
  (remove-hook 'post-command-hook #'notesd-presence--later t)
  (remove-hook 'post-command-hook #'notesd-presence--mark t)
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
  (setq notesd-presence--others nil)
  (notesd-presence--mark))

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
  (notesd-presence--mark)
  (notesd-presence--later))

(defun notesd-presence--overlay (params)
  "Return an overlay for the selection and the name in PARAMS, or nil."
  (condition-case nil
      (let* ((m notesd-sync-machine) (selection (plist-get params :selection))
             (edit (list (list (plist-get selection :start) (plist-get selection :end) "")))
             (edit (if (notesd-machine-bytes m) (notesd-edits-from-bytes (notesd-machine-shadow m) edit) edit))
             (start (notesd-sync-position (nth 0 (car edit)))) (end (notesd-sync-position (nth 1 (car edit))))
             (overlay (make-overlay start end nil t nil))
             (who (notesd-presence--who params)))
        (overlay-put overlay 'notesd-presence who)
        (overlay-put overlay 'face 'notesd-selection)
        (overlay-put overlay 'help-echo who)
        overlay)
    (args-out-of-range nil)))

(defun notesd-presence--wanted ()
  "Return what shows the cursors and names of others, as they are now.
This is a list of (START END PROPERTY VALUE), one for each cursor that is on a
character, and one for the names of each line."
  (let (cursors names)
    (save-excursion
      (save-restriction
        (widen)
        (dolist (other notesd-presence--others)
          (when-let* ((overlay (nth 2 other)) (position (overlay-end overlay)))
            (goto-char position)
            (let ((line-end (let ((inhibit-field-text-motion t)) (line-end-position))))
              (when (< position line-end)
                (push (list position (1+ position) 'face 'notesd-cursor) cursors))
              (push (cons (if (= position line-end) 'notesd-cursor 'default) (notesd-presence--name other))
                    (alist-get line-end names)))))))
    (append cursors (delq nil (mapcar #'notesd-presence--wanted-names names)))))

(defun notesd-presence--who (params)
  "Return the label in PARAMS."
  (or (plist-get params :label) (plist-get (plist-get params :user) :name) "somebody"))

(defun notesd-presence--name (other)
  "Return the name to show for OTHER.
This is the label, with the number of the client if others have the same label."
  (let ((who (notesd-presence--who (nth 1 other))))
    (if (seq-find (lambda (another) (and (not (eq another other)) (equal (notesd-presence--who (nth 1 another)) who)))
                  notesd-presence--others)
        (format "%s %s" who (car other))
      who)))

(defun notesd-presence--wanted-names (line)
  "Return what shows the names in LINE, (END (FACE . NAME)...), or nil.
The names are part of what the line end shows, because line motion starts after
a string that follows the position.  Only the end of the buffer has such a
string, except while point is there."
  (pcase-let ((`(,end . ,names) line) (last (1+ (buffer-size))))
    (cond ((< end last) (list end (1+ end) 'display (concat (notesd-presence--names names) "\n")))
          ((< (point) last) (list end end 'after-string (notesd-presence--names names))))))

(defun notesd-presence--names (names)
  "Return the string that shows NAMES, a list of (FACE . NAME)."
  (mapconcat (lambda (name)
               (concat (propertize " " 'face (car name)) (propertize (cdr name) 'face 'notesd-who)))
             names ""))

(defun notesd-presence--mark ()
  "Show the cursors and the names of others where they are now."
  (let ((wanted (and notesd-presence--others (notesd-presence--wanted))))
    (unless (equal-including-properties wanted (mapcar #'notesd-presence--shown-by notesd-presence--marks))
      (mapc #'delete-overlay notesd-presence--marks)
      (setq notesd-presence--marks
            (mapcar (pcase-lambda (`(,start ,end ,property ,value))
                      (let ((overlay (make-overlay start end nil t nil)))
                        (overlay-put overlay property value)
                        ;; Marks it as an overlay that a clone of the buffer removes.
                        (overlay-put overlay 'notesd-presence t)
                        overlay))
                    wanted)))))

(defun notesd-presence--shown-by (mark)
  "Return what the overlay MARK shows, as `notesd-presence--wanted' does."
  (let ((property (seq-find (lambda (property) (overlay-get mark property)) '(face display after-string))))
    (list (overlay-start mark) (overlay-end mark) property (overlay-get mark property))))

(provide 'notesd-presence)
;;; notesd-presence.el ends here
