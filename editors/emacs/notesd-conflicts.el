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

(defun notesd-conflicts--range (conflict)
  "Return (START . END), the buffer positions of CONFLICT."
  (let* ((range (plist-get conflict :range)) (shadow (notesd-machine-shadow notesd-sync-machine))
         (edit (list (list (plist-get range :start) (plist-get range :end) "")))
         (edit (condition-case nil
                   (if (notesd-machine-bytes notesd-sync-machine) (notesd-edits-from-bytes shadow edit) edit)
                 (args-out-of-range '((0 0 ""))))))
    (cons (notesd-sync-position (nth 0 (car edit)) t) (notesd-sync-position (nth 1 (car edit))))))

(defun notesd-conflicts-show ()
  "Highlight the open conflicts of the note of this buffer."
  (let ((known (mapcar (lambda (overlay) (overlay-get overlay 'notesd-conflict)) notesd-conflicts--overlays))
        (conflicts (notesd-machine-conflicts notesd-sync-machine)))
    (unless (equal known conflicts)
      (mapc #'delete-overlay notesd-conflicts--overlays)
      (setq notesd-conflicts--overlays
            (mapcar (lambda (conflict)
                      (let* ((range (notesd-conflicts--range conflict))
                             (overlay (make-overlay (car range) (max (car range) (cdr range)) nil t nil)))
                        (overlay-put overlay 'notesd-conflict conflict)
                        (overlay-put overlay 'face 'notesd-conflict)
                        (overlay-put overlay 'help-echo "Several people wrote here at once; C-c , v shows who wrote what")
                        overlay))
                    conflicts)))))

(defun notesd-conflicts--here ()
  "Return the overlay of the conflict at point; signal an error if there is none."
  (unless notesd-sync-machine (user-error "This buffer follows no note"))
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
  (let ((conflict (overlay-get (notesd-conflicts--here) 'notesd-conflict)))
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
  "Resolve the conflict of OVERLAY with TEXT; nil keeps the text as it is."
  (let ((id (plist-get (overlay-get overlay 'notesd-conflict) :id)))
    (when text
      (let* ((start (overlay-start overlay)) (end (overlay-end overlay))
             (text (if notesd-sync--dos (notesd-edits-from-dos text) text))
             (old (buffer-substring-no-properties start end)))
        (save-excursion
          (pcase-dolist (`(,from ,to ,new) (reverse (notesd-diff old text)))
            (goto-char (+ start from))
            (insert new)
            (delete-region (point) (+ (point) (- to from)))))))
    (delete-overlay overlay)
    (setq notesd-conflicts--overlays (delq overlay notesd-conflicts--overlays))
    (notesd-machine-resolve notesd-sync-machine (list id))
    (notesd-sync--run)))

(defun notesd-conflicts--keep (side)
  "Resolve the conflict at point with SIDE."
  (let* ((overlay (notesd-conflicts--here)) (conflict (overlay-get overlay 'notesd-conflict)))
    (pcase (plist-get conflict :kind)
      ("text" (notesd-conflicts--settle overlay (or (plist-get side :text) "")))
      ;; Renaming the note resolves it.
      ("name" (notesd-rename (or (plist-get side :name) "")))
      (_ (if (plist-get side :deleted)
             (user-error "To delete the note, use `notesd-list'; to keep it, use `notesd-keep-all'")
           (notesd-conflicts--settle overlay nil))))))

(defun notesd-conflicts--sides ()
  "Return the sides of the conflict at point."
  (plist-get (overlay-get (notesd-conflicts--here) 'notesd-conflict) :sides))

(defun notesd-conflicts--mine-p (side)
  "Return whether SIDE was written in this Emacs."
  (equal (plist-get (plist-get side :author) :label) (notesd-rpc-label)))

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
  (notesd-conflicts--keep
   (notesd-conflicts--only (seq-filter #'notesd-conflicts--mine-p (notesd-conflicts--sides)) "yours")))

;;;###autoload
(defun notesd-keep-other ()
  "Resolve the conflict at point with the side that somebody else wrote."
  (interactive)
  (notesd-conflicts--keep
   (notesd-conflicts--only (seq-remove #'notesd-conflicts--mine-p (notesd-conflicts--sides)) "another's")))

;;;###autoload
(defun notesd-keep-side (number)
  "Resolve the conflict at point with side NUMBER."
  (interactive (list (- (logand last-command-event 127) ?0)))
  (notesd-conflicts--keep (or (nth (1- number) (notesd-conflicts--sides))
                              (user-error "This conflict has no side %d" number))))

;;;###autoload
(defun notesd-keep-base ()
  "Resolve the conflict at point with the text from before both changes."
  (interactive)
  (let ((base (plist-get (overlay-get (notesd-conflicts--here) 'notesd-conflict) :base)))
    ;; The base is a text or a name, depending on the kind of conflict.
    (notesd-conflicts--keep (list :text base :name base))))

;;;###autoload
(defun notesd-keep-all ()
  "Resolve the conflict at point by keeping the text as it is."
  (interactive)
  (notesd-conflicts--settle (notesd-conflicts--here) nil))

(provide 'notesd-conflicts)
;;; notesd-conflicts.el ends here
