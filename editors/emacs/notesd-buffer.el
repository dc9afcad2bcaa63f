;;; notesd-buffer.el --- Other people's edits in a buffer -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Applies edits of others to a buffer.  Point, mark, markers, overlays and the
;; windows' points stay at their characters, the region stays active, and
;; narrowing stays.

;;; Code:

(require 'notesd-message)
(require 'seq)

(defvar notesd-buffer-applying nil
  "Non-nil while edits of others are applied to the current buffer.")

(defvar notesd-buffer--size 0
  "Length of the text before the edit that is being applied.")

(defvar-local notesd-buffer--undo nil
  "The undo list after the last change that the user made, or nil.")

(defun notesd-buffer-text ()
  "Return the text of the current buffer, narrowed or not, without properties."
  (save-restriction
    (widen)
    (buffer-substring-no-properties (point-min) (point-max))))

(defun notesd-buffer-apply (edits)
  "Apply EDITS, which refer to the whole text, to the current buffer.
Each is (START END TEXT), with offsets from 0, and they are in order."
  (when edits
    (let ((undoable (consp buffer-undo-list))
          (modified (buffer-modified-p))
          (pushed (notesd-buffer--pushed edits)))
      (notesd-buffer--change edits)
      (mapc #'funcall pushed)
      (restore-buffer-modified-p modified)
      (when undoable (notesd-buffer--forget-undo)))))

(defun notesd-buffer--forget-undo ()
  "Empty the undo list of the current buffer, whose elements no longer fit.
The commands of undo do not use it.  It shows where commands begin, so keep
whether it is at a boundary."
  (let ((begun notesd-buffer--undo) (start (list '(apply ignore))))
    (setq notesd-buffer--undo (and begun start)
          buffer-undo-list (if (and begun (car buffer-undo-list)) start (cons nil start)))))

(defun notesd-buffer-step-begins-p ()
  "Return whether the change that was just made begins a step of undo.
Otherwise it belongs to the step of the change before."
  (let ((list buffer-undo-list) (begins nil))
    (if (not (consp list)) t
      (while (and list (not (eq list notesd-buffer--undo)))
        (unless (car list) (setq begins t))
        (setq list (cdr list)))
      (setq notesd-buffer--undo buffer-undo-list)
      (or begins (null list)))))

(defun notesd-buffer-place-before ()
  "Return where Emacs' undo of the change that was just made would put point.
This is the effect of the oldest element of the undo list that moves it, back to
where the step begins.  Return nil if the undo list has none."
  (let ((list (and (consp buffer-undo-list) buffer-undo-list)) (place nil))
    (while (car list)
      (pcase (pop list)
        ((and (pred integerp) at) (setq place at))
        (`(,(and (pred integerp) beg) . ,(pred integerp)) (setq place beg))
        (`(,(and (pred stringp) text) . ,(and (pred integerp) at)) (setq place (if (< at 0) (- (length text) at) at)))))
    place))

(defvar-local notesd-buffer-typed-end nil
  "A marker where the user's last change ended, or nil.")

(defun notesd-buffer-note-typed (end)
  "Record that the user's last change ended at END."
  (unless notesd-buffer-typed-end (setq notesd-buffer-typed-end (make-marker)))
  (set-marker notesd-buffer-typed-end end))

(defun notesd-buffer--pushed (edits)
  "Return functions that move cursors after the text that EDITS insert there.
A cursor is on a character and moves with it.  Only where the user was typing,
it stays after the text typed last, unless whole lines are inserted at the start
of its line."
  (let ((places (notesd-buffer--places edits)) (result nil))
    (when places
      (dolist (window (get-buffer-window-list nil nil t))
        (let ((at (window-point window)))
          (when (memq at places)
            (let ((behind (copy-marker at t)))
              (push (lambda () (set-window-point window behind)) result)))))
      (let ((at (point)))
        (when (memq at places)
          (let ((behind (copy-marker at t)))
            (push (lambda () (goto-char behind)) result)))))
    result))

(defun notesd-buffer--places (edits)
  "Return the positions at which cursors move when EDITS insert text there."
  (let ((places nil) (typed (and notesd-buffer-typed-end (marker-position notesd-buffer-typed-end))))
    (save-excursion
      (save-restriction
        (widen)
        (pcase-dolist (`(,start ,end ,text) edits)
          (when (= start end)
            (goto-char (1+ start))
            (when (or (not (eql typed (point))) (and (bolp) (string-suffix-p "\n" text)))
              (push (point) places))))))
    places))

(defun notesd-buffer--change (edits)
  "Apply EDITS to the current buffer and leave everything else as it is.
If a hook signals an error, apply the rest of that edit without hooks."
  (let ((buffer-undo-list t) (inhibit-read-only t) (deactivate-mark nil)
        (notesd-buffer-applying t) (notesd-buffer--size 0) (inhibit-quit t)
        (left (reverse edits)))
    (save-match-data
      (save-excursion
        (save-restriction
          (widen)
          (while left
            (let ((edit (car left)))
              (condition-case-unless-debug problem
                  (progn (notesd-buffer--replace edit) (pop left))
                (error
                 (notesd-message "notesd: a hook failed on a change by others: %s"
                                 (error-message-string problem))
                 (let ((inhibit-modification-hooks t))
                   (notesd-buffer--repair edit))
                 (pop left))))))))))

(defun notesd-buffer--replace (edit)
  "Apply EDIT to the current, widened buffer."
  (pcase-let ((`(,start ,end ,text) edit))
    (setq notesd-buffer--size (buffer-size))
    ;; Insert first: the removal then moves the markers after it back, so that each stays at
    ;; its character.
    (unless (string-empty-p text)
      (goto-char (1+ start))
      (insert text))
    (when (< start end)
      (let ((from (+ 1 start (length text))))
        (delete-region from (+ from (- end start)))))))

(defun notesd-buffer--repair (edit)
  "Finish EDIT, during which a hook signalled an error.
The size of the buffer shows how much of EDIT was done."
  (pcase-let* ((`(,start ,end ,text) edit)
               (grown (- (buffer-size) notesd-buffer--size)))
    (when (and (= grown 0) (not (string-empty-p text)))
      (goto-char (1+ start))
      (insert text))
    (when (and (< start end) (/= grown (- (length text) (- end start))))
      (let ((from (+ 1 start (length text))))
        (delete-region from (+ from (- end start)))))))

(provide 'notesd-buffer)
;;; notesd-buffer.el ends here
