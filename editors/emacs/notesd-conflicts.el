;;; notesd-conflicts.el --- Resolving conflicts -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Where concurrent writes touch, a note has both texts, without markers, and
;; an open conflict.  These places are highlighted.  The commands here go from
;; one to the next, show what each side wrote, and keep one side, the base, or
;; all of it.  Resolving a conflict is an edit like any other, and can be
;; undone.

;;; Code:

(require 'notesd)

(defface notesd-conflict '((t :inherit smerge-upper :extend t))
  "Face for text that several people wrote at once."
  :group 'notesd)

(defvar-local notesd-conflicts--overlays nil "The overlays of the open conflicts.")

(defvar-local notesd-conflicts--shown nil "The conflicts that the overlays show.")

(defun notesd-conflicts-show ()
  "Highlight the open conflicts of the note of this buffer."
  (let ((conflicts (notesd-note-conflicts notesd-sync-note)))
    (unless (equal notesd-conflicts--shown conflicts)
      (mapc #'delete-overlay notesd-conflicts--overlays)
      (setq notesd-conflicts--shown conflicts
            notesd-conflicts--overlays (delq nil (mapcar #'notesd-conflicts--draw conflicts))))))

(defun notesd-conflicts--draw (conflict)
  "Return an overlay for CONFLICT, or nil if its place is not in the text yet."
  (pcase-let ((`(,start ,end) (or (plist-get conflict :range) (and (not (equal (plist-get conflict :kind) "text")) '(0 0)))))
    (when start
      (let ((overlay (make-overlay (1+ start) (1+ end) nil t nil)))
        (overlay-put overlay 'notesd-conflict conflict)
        (overlay-put overlay 'face 'notesd-conflict)
        (overlay-put overlay 'help-echo "Several people wrote here at once; C-c , v shows who wrote what")
        overlay))))

(defun notesd-conflicts--here ()
  "Return the overlay of the conflict at point; signal an error if there is none."
  (notesd-take-note)
  (or (seq-find (lambda (overlay) (<= (overlay-start overlay) (point) (overlay-end overlay)))
                notesd-conflicts--overlays)
      (if notesd-conflicts--overlays
          (user-error "%s" (substitute-command-keys
                            "No conflict here; \\[notesd-next-conflict] goes to the next one"))
        (user-error "No conflict is open in this note"))))

;;;###autoload
(defun notesd-next-conflict ()
  "Go to the next open conflict, and show what each side wrote."
  (interactive)
  (let* ((starts (sort (mapcar #'overlay-start notesd-conflicts--overlays) #'<))
         (next (or (seq-find (lambda (start) (> start (point))) starts) (car starts))))
    (unless next (user-error "No conflict is open in this note"))
    (goto-char next)
    (notesd-show-sides)))

(defun notesd-conflicts--whole (overlay)
  "Return the conflict of OVERLAY with what each side wrote, as the daemon has it."
  (let ((id (plist-get (overlay-get overlay 'notesd-conflict) :id))
        (note (plist-get (notesd-rpc-call "note.get" (list :id (notesd-note-id notesd-sync-note))) :note)))
    (or (seq-find (lambda (conflict) (equal (plist-get conflict :id) id)) (plist-get note :conflicts))
        (user-error "This conflict is resolved"))))

(defun notesd-conflicts--who (side)
  "Return who wrote SIDE; for an undone side, its id and the word undone.
An undone side has what its revision had replaced, not its author's text."
  (let ((author (plist-get side :author)))
    (if (eq (plist-get side :withdrawn) t)
        (format "%s, undone" (replace-regexp-in-string "\\`\\([0-9a-f]\\{6\\}\\)[0-9a-f]*:" "\\1:" (plist-get side :dot)))
      (or (plist-get author :label) (plist-get author :user) "somebody"))))

(defun notesd-conflicts--what (side)
  "Return the text of SIDE, for display."
  (cond ((plist-get side :deleted) "(deleted)")
        ((plist-member side :name) (or (plist-get side :name) "(no name)"))
        (t (plist-get side :text))))

;;;###autoload
(defun notesd-show-sides ()
  "Show what each side of the conflict at point wrote."
  (interactive)
  (let ((conflict (notesd-conflicts--whole (notesd-conflicts--here))))
    (with-current-buffer (get-buffer-create "*note conflict*")
      (let ((inhibit-read-only t))
        (erase-buffer)
        (seq-do-indexed
         (lambda (side index)
           (insert (propertize (format "%d: %s\n" (1+ index) (notesd-conflicts--who side)) 'face 'bold)
                   (or (notesd-conflicts--what side) "") "\n"))
         (plist-get conflict :sides))
        (insert (propertize "Before\n" 'face 'bold) (or (plist-get conflict :base) "") "\n"
                "C-c , m: mine   o: the other   b: as before   a: all, as it is   1…9: that side\n")
        (goto-char (point-min))
        (special-mode))
      (display-buffer (current-buffer) '(display-buffer-below-selected (window-height . fit-window-to-buffer))))))

(defun notesd-conflicts--settle (overlay text)
  "Resolve the conflict of OVERLAY with TEXT; nil keeps the text as it is.
TEXT is put in place by a change like any other, so that undo reverts it."
  (let ((number (notesd-note-number notesd-sync-note)) (buffer (current-buffer))
        (id (plist-get (overlay-get overlay 'notesd-conflict) :id)))
    (when text
      (notesd-conflicts--replace (overlay-start overlay) (overlay-end overlay)
                                 (if (notesd-note-dos notesd-sync-note) (string-replace "\r\n" "\n" text) text)))
    (delete-overlay overlay)
    (setq notesd-conflicts--overlays (delq overlay notesd-conflicts--overlays))
    (unless (notesd-take-save
             (lambda (_ failure)
               (if failure (notesd-conflicts--failed buffer failure)
                 (notesd-rpc-send "buffer.resolve" (list :buffer number :conflict id :take "shown")
                                  (lambda (_ failure) (when failure (notesd-conflicts--failed buffer failure)))))))
      (user-error "The conflict stays open: no connection to the daemon"))))

(defun notesd-conflicts--failed (buffer failure)
  "Report that a conflict in BUFFER could not be resolved because of FAILURE."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (notesd-sync--tell (format "the conflict stays open: %s" (plist-get failure :message)))
      (setq notesd-conflicts--shown nil)
      (notesd-conflicts-show))))

(defun notesd-conflicts--replace (start end text)
  "Replace what differs from TEXT between START and END."
  (let* ((old (buffer-substring-no-properties start end)) (least (min (length old) (length text)))
         (head (or (seq-find (lambda (at) (/= (aref old at) (aref text at))) (number-sequence 0 (1- least))) least))
         (tail (or (seq-find (lambda (at) (/= (aref old (- (length old) at 1)) (aref text (- (length text) at 1))))
                             (number-sequence 0 (1- (- least head))))
                   (- least head))))
    (save-excursion
      (goto-char (+ start head))
      (insert (substring text head (- (length text) tail)))
      (delete-region (point) (+ (point) (- (length old) head tail))))))

(defun notesd-conflicts--keep (side conflict)
  "Resolve CONFLICT with SIDE."
  ;; It may have been drawn again meanwhile.
  (let ((overlay (or (seq-find (lambda (overlay) (equal (plist-get (overlay-get overlay 'notesd-conflict) :id) (plist-get conflict :id)))
                               notesd-conflicts--overlays)
                     (user-error "This conflict is resolved"))))
    (pcase (plist-get conflict :kind)
      ("text" (notesd-conflicts--settle overlay (or (plist-get side :text) "")))
      ;; Renaming the note resolves it.
      ("name" (notesd-rename (or (plist-get side :name) "")))
      (_ (if (plist-get side :deleted)
             (user-error "To delete the note, use `notesd-list'; to keep it, use `notesd-keep-all'")
           (notesd-conflicts--settle overlay nil))))))

(defun notesd-conflicts--mine (sides)
  "Return those of SIDES that this Emacs wrote, or else an earlier one here."
  (let ((label (concat (notesd-rpc-label) "/")))
    (cl-flet ((by (start) (seq-filter (lambda (side) (string-prefix-p start (or (plist-get (plist-get side :author) :label) "")))
                                      sides)))
      (or (by (concat label (notesd-note-writer notesd-sync-note))) (by label)))))

(defun notesd-conflicts--only (sides what)
  "Return the only one of SIDES, or let the user choose; WHAT describes them."
  (pcase sides
    ('nil (user-error "No side of this conflict is %s" what))
    (`(,side) side)
    (_ (let* ((names (seq-map-indexed (lambda (side index)
                                        (cons (format "%d: %s: %s" (1+ index) (notesd-conflicts--who side)
                                                      (truncate-string-to-width
                                                       (string-trim (or (notesd-conflicts--what side) "")) 40))
                                              side))
                                      sides)))
         (cdr (assoc (completing-read "Keep: " names nil t) names))))))

;;;###autoload
(defun notesd-keep-mine ()
  "Resolve the conflict at point with your own side."
  (interactive)
  (let* ((conflict (notesd-conflicts--whole (notesd-conflicts--here))) (sides (plist-get conflict :sides)))
    (notesd-conflicts--keep (notesd-conflicts--only (notesd-conflicts--mine sides) "yours") conflict)))

;;;###autoload
(defun notesd-keep-other ()
  "Resolve the conflict at point with the side that somebody else wrote."
  (interactive)
  (let* ((conflict (notesd-conflicts--whole (notesd-conflicts--here))) (sides (plist-get conflict :sides)))
    (notesd-conflicts--keep
     (notesd-conflicts--only (seq-difference sides (notesd-conflicts--mine sides)) "another's") conflict)))

;;;###autoload
(defun notesd-keep-side (number)
  "Resolve the conflict at point with side NUMBER."
  (interactive (list (- (logand last-command-event 127) ?0)))
  (let ((conflict (notesd-conflicts--whole (notesd-conflicts--here))))
    (notesd-conflicts--keep (or (nth (1- number) (plist-get conflict :sides))
                                (user-error "This conflict has no side %d" number))
                            conflict)))

;;;###autoload
(defun notesd-keep-base ()
  "Resolve the conflict at point with the text from before both changes."
  (interactive)
  (let* ((conflict (notesd-conflicts--whole (notesd-conflicts--here))) (base (plist-get conflict :base)))
    ;; The base is a text or a name, depending on the kind of conflict.
    (notesd-conflicts--keep (list :text base :name base) conflict)))

;;;###autoload
(defun notesd-keep-all ()
  "Resolve the conflict at point by keeping the text as it is."
  (interactive)
  (notesd-conflicts--settle (notesd-conflicts--here) nil))

(provide 'notesd-conflicts)
;;; notesd-conflicts.el ends here
