;;; notesd-steps.el --- Undo and redo in notes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Commands that revert and restore the user's own steps, which notesctl keeps.
;; Advice makes `undo' and `undo-redo' run them in notes, also for other packages.

;;; Code:

(require 'notesd-take)

(defun notesd-undo (&optional arg)
  "Undo your own last change; after other commands, first redo what you undid.
Changes by others stay.  The region has no effect.  A numeric ARG serves as a
repeat count; any other ARG is ignored."
  (interactive "*P")
  (let ((note (notesd-take-note)))
    (unless (memq last-command '(undo notesd-undo)) (setf (notesd-note-redoing note) (notesd-note-undone note)))
    (dotimes (_ (if (numberp arg) arg 1))
      (if (> (notesd-note-redoing note) 0) (notesd-steps--step "redo") (notesd-steps--step "undo")))
    (setq this-command 'undo)))

(defun notesd-undo-only (&optional arg)
  "Undo like `notesd-undo' with ARG, but do not redo a previous undo."
  (interactive "*P")
  (dotimes (_ (if (numberp arg) arg 1)) (notesd-steps--step "undo"))
  (setf (notesd-note-redoing (notesd-take-note)) 0)
  (setq this-command 'undo))

(defun notesd-redo (&optional arg)
  "Redo what you undid last; a numeric ARG serves as a repeat count."
  (interactive "*P")
  (dotimes (_ (if (numberp arg) arg 1)) (notesd-steps--step "redo"))
  (setf (notesd-note-redoing (notesd-take-note)) 0)
  (setq this-command 'undo))

(defun notesd-steps--step (what)
  "Undo or redo one step, which WHAT names, and wait until it is shown."
  (let* ((note (notesd-take-note)) (done (plist-get (notesd-take-call (concat "buffer." what)) :done))
         (change (if (equal what "undo") 1 -1)))
    (unless done
      (when (equal what "redo") (setf (notesd-note-undone note) 0 (notesd-note-redoing note) 0))
      (user-error "No further %s information" what))
    (setf (notesd-note-undone note) (max 0 (+ (notesd-note-undone note) change))
          (notesd-note-redoing note) (max 0 (+ (notesd-note-redoing note) (min 0 change))))
    (unless executing-kbd-macro (message (if (equal what "undo") "Undo" "Redo")))))

(defun notesd-steps--instead (command &optional own)
  "Return advice that runs COMMAND in buffers of notes.
If undo must not redo, it runs OWN instead."
  (lambda (function &rest arguments)
    (let ((base (or (buffer-base-buffer) (current-buffer))))
      (if (not (buffer-local-value 'notesd-sync-note base)) (apply function arguments)
        (with-current-buffer base (apply (if (and own undo-no-redo) own command) arguments))))))

;; Emacs's own undo would take out what others wrote.
(advice-add 'undo :around (notesd-steps--instead #'notesd-undo #'notesd-undo-only) '((name . notesd)))
(advice-add 'undo-redo :around (notesd-steps--instead #'notesd-redo) '((name . notesd)))

(provide 'notesd-steps)
;;; notesd-steps.el ends here
