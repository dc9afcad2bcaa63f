;;; notesd-list.el --- Lists of notes and of search results -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `notesd-list' shows a table of all notes.  `notesd-search' shows the notes
;; that match a query, best first, each with the text around the match.

;;; Code:

(require 'notesd)
(require 'tabulated-list)

(defconst notesd-list-search-hits-max 100 "Maximum number of hits that a search shows.")

(defvar notesd-list-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'notesd-list-open)
    (define-key map "s" #'notesd-search)
    (define-key map "f" #'notesd-find)
    (define-key map "D" #'notesd-list-delete)
    map)
  "Keymap of `notesd-list-mode'.")

(define-derived-mode notesd-list-mode tabulated-list-mode "Notes"
  "A table of notes."
  (setq tabulated-list-format [("Name" 32 t) ("Title" 40 t) ("Tags" 20 t) ("Modified" 17 t) ("By" 16 t)]
        tabulated-list-sort-key '("Name"))
  (add-hook 'tabulated-list-revert-hook #'notesd-list--read nil t)
  (tabulated-list-init-header))

(defun notesd-list--time (stamp)
  "Return STAMP, a time from the daemon, as local time for display."
  (if stamp (format-time-string "%Y-%m-%d %H:%M" (date-to-time stamp)) ""))

(defun notesd-list--entry (note)
  "Return the row for NOTE."
  (list (plist-get note :id)
        (vector (concat (or (plist-get note :name) "(no name)")
                        (if (plist-get note :conflicts) (propertize " !" 'face 'warning) ""))
                (plist-get note :title)
                (string-join (plist-get note :tags) " ")
                (notesd-list--time (plist-get note :modified))
                (let ((author (plist-get note :author)))
                  (or (plist-get author :label) (plist-get author :user) "")))))

(defun notesd-list--read ()
  "Read the rows of the current buffer."
  (setq tabulated-list-entries (mapcar #'notesd-list--entry (notesd-notes))))

;;;###autoload
(defun notesd-list ()
  "Show a table of all notes."
  (interactive)
  (let ((notes (notesd-notes)))
    (with-current-buffer (get-buffer-create "*notes*")
      (notesd-list-mode)
      (setq tabulated-list-entries (mapcar #'notesd-list--entry notes))
      (tabulated-list-print t)
      (pop-to-buffer-same-window (current-buffer)))))

(defun notesd-list-open ()
  "Open the note of this line."
  (interactive)
  (notesd-open-id (or (tabulated-list-get-id) (user-error "There is no note on this line"))))

(defun notesd-list-delete ()
  "Delete the note of this line.  Its text stays in the history."
  (interactive)
  (let* ((id (or (tabulated-list-get-id) (user-error "There is no note on this line")))
         (name (aref (tabulated-list-get-entry) 0)))
    (when (y-or-n-p (format "Delete %s? " name))
      (notesd-list--with-number id (lambda (number) (notesd-rpc-call "buffer.delete" (list :buffer number))))
      (revert-buffer))))

(defun notesd-list--with-number (id function)
  "Call FUNCTION with the number of the note ID in notesctl.
Open the note there if no buffer shows it."
  (let* ((buffer (notesd-sync-buffer id)) (number (if buffer nil (notesd-sync-number))))
    (if buffer
        (with-current-buffer buffer
          (notesd-take-call "buffer.save")
          (funcall function (notesd-note-number notesd-sync-note)))
      (notesd-rpc-call "buffer.open" (list :buffer number :id id))
      (unwind-protect (funcall function number)
        (notesd-rpc-send "buffer.close" (list :buffer number) #'ignore)))))

;;; Searching

(defvar notesd-list-hits-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'notesd-list-visit)
    (define-key map [mouse-2] #'notesd-list-visit)
    (define-key map "n" #'notesd-list-next-hit)
    (define-key map "p" #'notesd-list-previous-hit)
    map)
  "Keymap of `notesd-list-hits-mode'.")

(defvar-local notesd-list--query nil "The query whose hits this buffer shows.")

(define-derived-mode notesd-list-hits-mode special-mode "Notes-Found"
  "Search results."
  (setq-local revert-buffer-function (lambda (&rest _) (notesd-search notesd-list--query))))

(defvar notesd-list-search-history nil "History of search queries.")

;;;###autoload
(defun notesd-search (query)
  "Show the notes that match QUERY, best first.
A note must have all words.  The daemon also supports \"a phrase\", beg*,
tag:todo, name:inbox, -not and OR."
  (interactive (list (read-string "Search notes: " nil 'notesd-list-search-history)))
  (let ((found (notesd-rpc-call "note.search" (list :query query :limit notesd-list-search-hits-max))))
    (with-current-buffer (get-buffer-create "*notes found*")
      (notesd-list-hits-mode)
      (setq notesd-list--query query)
      (let ((inhibit-read-only t) (hits (plist-get found :hits)))
        (erase-buffer)
        (insert (format "%s%d note%s for %s\n\n" (if (plist-get found :next) "The first " "") (length hits)
                        (if (= 1 (length hits)) "" "s") query))
        (mapc #'notesd-list--insert-hit hits))
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

(defun notesd-list--insert-hit (hit)
  "Insert HIT with its matches highlighted."
  (let* ((note (plist-get hit :note)) (snippet (plist-get hit :snippet))
         (ranges (mapcar (lambda (range) (list (plist-get range :start) (plist-get range :end)))
                         (plist-get hit :ranges)))
         (start (point)))
    (insert (propertize (or (plist-get note :name) (plist-get note :title)) 'face 'link)
            "  " (propertize (notesd-list--time (plist-get note :modified)) 'face 'shadow) "\n")
    (let ((at (point)))
      (insert snippet)
      (pcase-dolist (`(,from ,to) ranges)
        (put-text-property (+ at from) (+ at to) 'face 'match))
      (put-text-property start (point) 'notesd-found (cons snippet (or (caar ranges) 0)))
      (unless (bolp) (insert "\n"))
      (indent-rigidly at (point) 4))
    (insert "\n")
    (add-text-properties start (point) (list 'notesd-id (plist-get note :id) 'mouse-face 'highlight))))

(defun notesd-list-visit ()
  "Open the note of the hit at point, at the match."
  (interactive)
  (let ((id (or (get-text-property (point) 'notesd-id) (user-error "There is no note here")))
        (found (get-text-property (point) 'notesd-found)))
    (notesd-open-id id)
    (cl-flet ((shown (text) (if (notesd-note-dos notesd-sync-note) (string-replace "\r\n" "\n" text) text)))
      (let ((start (and found (string-search (shown (car found)) (notesd-buffer-text)))))
        (when start
          (notesd-take-go (+ 1 start (length (shown (substring (car found) 0 (cdr found)))))))))))

(defun notesd-list-next-hit (&optional count)
  "Go to the next hit, or the COUNTth next one."
  (interactive "p")
  (dotimes (_ (or count 1))
    (let ((next (next-single-property-change (point) 'notesd-id)))
      (when next (goto-char next)))))

(defun notesd-list-previous-hit (&optional count)
  "Go to the previous hit, or the COUNTth previous one."
  (interactive "p")
  (dotimes (_ (or count 1))
    (let ((previous (previous-single-property-change (point) 'notesd-id)))
      (when previous (goto-char previous)))))

(provide 'notesd-list)
;;; notesd-list.el ends here
