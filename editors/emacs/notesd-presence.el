;;; notesd-presence.el --- Other people's cursors and selections -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Tells the others where point or the region is, and draws their cursors and
;; selections.  Nothing is drawn inside a line, where it would move the text and
;; the columns that line motion aims at: a cursor is a face on the character
;; after it, and the names are shown at the end of the line.

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
(defvar notesd-presence--told nil
  "The position sent last: (NUMBER N ANCHOR HEAD).
This is (NUMBER) if notesctl takes a note for the user's that it has just
opened, and nil if the user is in no note.")
(defvar-local notesd-presence--others nil
  "List of others here: (INDEX PERSON OVERLAY).
OVERLAY is nil if their place is not in the text.")
(put 'notesd-presence--marks 'permanent-local t)
(defvar-local notesd-presence--marks nil
  "Overlays that show the cursors and the names of others.")

(defun notesd-presence-start ()
  "Send and show presence in this buffer's note."
  (add-hook 'post-command-hook #'notesd-presence--later nil t)
  (add-hook 'post-command-hook #'notesd-presence--mark nil t)
  (add-hook 'post-command-hook #'notesd-presence--left)
  (add-hook 'notesd-sync-people-functions #'notesd-presence--draw nil t)
  (when (notesd-note-open notesd-sync-note) (notesd-presence--opened)))

(defun notesd-presence-stop ()
  "Stop sending and showing presence in this buffer."
  (remove-hook 'post-command-hook #'notesd-presence--later t)
  (remove-hook 'post-command-hook #'notesd-presence--mark t)
  (remove-hook 'notesd-sync-people-functions #'notesd-presence--draw t)
  (setf (notesd-note-people notesd-sync-note) nil)
  (notesd-presence--draw))

;;; Sending

(defun notesd-presence--later ()
  "Schedule an update of the position of point."
  (notesd-sync-clone-p)
  (when (or notesd-presence notesd-presence--told) (notesd-presence--schedule)))

(defun notesd-presence--schedule ()
  "Schedule an update, unless one is planned."
  (unless notesd-presence--timer
    (setq notesd-presence--timer
          (run-with-timer notesd-presence-seconds nil
                          (lambda () (setq notesd-presence--timer nil) (notesd-presence--tell))))))

(defun notesd-presence--buffer ()
  "Return the buffer in which the user is, also while the minibuffer asks."
  (window-buffer (or (minibuffer-selected-window) (selected-window))))

(defun notesd-presence--note ()
  "Return the note in which the user is, or nil."
  (let ((buffer (notesd-presence--buffer)))
    (buffer-local-value 'notesd-sync-note (or (buffer-base-buffer buffer) buffer))))

(defun notesd-presence--left ()
  "Schedule an update if the user has left the note of the last one."
  (when notesd-presence--told
    (let ((note (notesd-presence--note)))
      (unless (and note (eql (notesd-note-number note) (car notesd-presence--told))) (notesd-presence--schedule)))))

(defun notesd-presence--opened ()
  "Record that notesctl takes the note of this buffer for the user's."
  (setq notesd-presence--told (list (notesd-note-number notesd-sync-note)))
  (notesd-presence--schedule))
(add-hook 'notesd-sync-opened-functions #'notesd-presence--opened)

(defun notesd-presence--tell ()
  "Send the position of point, or that the user is in no note, if that is new."
  (let* ((buffer (notesd-presence--buffer)) (note (and notesd-presence (notesd-presence--note))))
    (cond
     ((not (notesd-rpc-can "presence")))
     ((not (and note (notesd-note-open note))) (notesd-presence--leave))
     (t (with-current-buffer buffer
          (unless inhibit-modification-hooks
            (with-current-buffer (or (buffer-base-buffer) buffer) (notesd-sync-flush))
            (let ((place (list (notesd-note-number note) (notesd-note-n note)
                               (1- (if (region-active-p) (mark) (point))) (1- (point)))))
              (unless (equal place notesd-presence--told)
                (setq notesd-presence--told place)
                (notesd-presence--send note (vconcat (cddr place)))))))))))

(defun notesd-presence--leave ()
  "Send that the user has left the note of the last position."
  (let ((buffer (gethash (car (cl-shiftf notesd-presence--told nil)) notesd-sync--numbers)))
    (when (buffer-live-p buffer)
      (let ((note (buffer-local-value 'notesd-sync-note buffer)))
        (when (and note (notesd-note-open note)) (notesd-presence--send note :null))))))

(defun notesd-presence--send (note selection)
  "Send SELECTION, a vector or :null, as the user's place in NOTE."
  (notesd-rpc-send "buffer.select" (list :buffer (notesd-note-number note) :n (notesd-note-n note) :selection selection)))

;;; Showing

(defun notesd-presence--draw ()
  "Draw the others in the note of this buffer."
  (pcase-dolist (`(,_ ,_ ,overlay) notesd-presence--others) (when overlay (delete-overlay overlay)))
  (setq notesd-presence--others
        (and notesd-presence
             (seq-map-indexed (lambda (person index) (list (1+ index) person (notesd-presence--overlay person)))
                              (notesd-note-people notesd-sync-note))))
  (notesd-presence--mark))

(defun notesd-presence--overlay (person)
  "Return an overlay for the selection and the name of PERSON, or nil."
  (let ((at (plist-get person :at)))
    (when (and at (<= at (buffer-size)))
      (pcase-let* ((`(,start ,end) (or (plist-get person :selection) (list at at)))
                   (overlay (make-overlay (1+ start) (1+ end) nil t nil)) (who (notesd-presence--who person)))
        (overlay-put overlay 'notesd-presence who)
        (overlay-put overlay 'face 'notesd-selection)
        (overlay-put overlay 'help-echo who)
        overlay))))

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

(defun notesd-presence--who (person)
  "Return the label of PERSON."
  (or (plist-get person :label) (plist-get person :user) "somebody"))

(defun notesd-presence--name (other)
  "Return the name to show for OTHER.
This is the label, with a number if others have the same label."
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
