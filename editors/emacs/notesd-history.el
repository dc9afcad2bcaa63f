;;; notesd-history.el --- The revisions of a note -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A table of the revisions of a note.  The user can show a revision, compare
;; it with the current text, and restore it.

;;; Code:

(require 'notesd)
(require 'diff)
(require 'tabulated-list)

(defconst notesd-history-revisions-max 1000 "Maximum number of revisions to show.")

(defvar-local notesd-history--note nil "The note whose revisions are shown: (ID . NAME).")

(defvar notesd-history-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'notesd-history-view)
    (define-key map "=" #'notesd-history-diff)
    (define-key map "r" #'notesd-history-revert)
    map)
  "Keymap of `notesd-history-mode'.")

(define-derived-mode notesd-history-mode tabulated-list-mode "Note-History"
  "The revisions of a note, newest first."
  (setq tabulated-list-format [("Written" 17 nil) ("By" 24 nil) ("Bytes" 9 nil) ("What" 10 nil) ("Name" 20 nil)])
  (add-hook 'tabulated-list-revert-hook #'notesd-history--read nil t)
  (tabulated-list-init-header))

(defun notesd-history--read ()
  "Read the rows of the current buffer."
  (let ((answer (notesd-rpc-call "note.history" (list :id (car notesd-history--note)
                                                      :limit notesd-history-revisions-max))))
    (setq tabulated-list-entries
          (mapcar
           (lambda (revision)
             (list (plist-get revision :version)
                   (vector (format-time-string "%Y-%m-%d %H:%M" (date-to-time (plist-get revision :modified)))
                           (or (plist-get (plist-get revision :author) :label)
                               (plist-get (plist-get revision :author) :user) "")
                           (number-to-string (plist-get revision :bytes))
                           (cond ((plist-get revision :deleted) "deleted")
                                 ((plist-get revision :compacted) "compacted")
                                 (t (plist-get revision :kind)))
                           (or (plist-get revision :name) ""))))
           (plist-get answer :revisions)))))

;;;###autoload
(defun notesd-history ()
  "Show the revisions of the note of this buffer."
  (interactive)
  (let ((note (cons (notesd-note-id (notesd-take-note)) (notesd-sync-name))))
    (with-current-buffer (get-buffer-create (format "*history of %s*" (cdr note)))
      (notesd-history-mode)
      (setq notesd-history--note note)
      (notesd-history--read)
      (tabulated-list-print)
      (pop-to-buffer (current-buffer)))))

(defun notesd-history--version ()
  "Return the version of this line."
  (or (tabulated-list-get-id) (user-error "There is no revision on this line")))

(defun notesd-history--text (version)
  "Return a buffer with the text of VERSION; nil means the current version."
  (let* ((note notesd-history--note)
         (answer (notesd-rpc-call "note.get" (append (list :id (car note)) (and version (list :at version)))))
         (buffer (get-buffer-create (format "*%s, %s*" (cdr note) (or version "now")))))
    (with-current-buffer buffer
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (plist-get (plist-get answer :note) :text)))
      (goto-char (point-min))
      (set-buffer-modified-p nil)
      (view-mode 1))
    buffer))

(defun notesd-history-view ()
  "Show the text of the revision on this line."
  (interactive)
  (pop-to-buffer (notesd-history--text (notesd-history--version))))

(defun notesd-history-diff ()
  "Show the changes since the revision on this line."
  (interactive)
  (let ((version (notesd-history--version)))
    (diff (notesd-history--text version) (notesd-history--text nil) nil t)))

(defun notesd-history-revert ()
  "Restore the text of the revision on this line.
Nothing is lost: the current text stays in the history, and you can undo this."
  (interactive)
  (let ((version (notesd-history--version)) (id (car notesd-history--note)))
    (when (y-or-n-p (format "Restore this revision of %s? " (cdr notesd-history--note)))
      (notesd-open-id id)
      (notesd-take-call "buffer.revert" :version version))))

(provide 'notesd-history)
;;; notesd-history.el ends here
