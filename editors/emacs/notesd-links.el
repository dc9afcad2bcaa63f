;;; notesd-links.el --- Links between notes and to files -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; `notesd-follow' opens the note or the file that the link at point means.
;; `notesd-paste' keeps the picture in the clipboard and inserts a link to it.
;; `notesd-backlinks' lists the links in other notes that mean this note.

;;; Code:

(require 'notesd)
(require 'notesd-list)
(require 'seq)
(require 'url-util)

(defconst notesd-links-max 100 "Maximum number of links that `notesd-backlinks' shows.")

(defconst notesd-links--pattern
  (concat "\\[\\[\\([^][\n]+\\)\\]\\]"
          "\\|\\[[^][\n]*\\](<?\\([^][:space:]()<>]+\\)>?[^()\n]*)")
  "Regular expression of what a reader takes for a link.
The daemon knows the exact rules.")

(defun notesd-links--target ()
  "Return (KIND TARGET) of the link that matched last.
Return nil if it is not a link to a note."
  (let ((wiki (match-string-no-properties 1)) (path (match-string-no-properties 2)))
    (save-match-data
      (let ((target (if wiki (string-trim (replace-regexp-in-string "#.*\\'" "" (replace-regexp-in-string "\\\\?|.*\\'" "" wiki)))
                      (decode-coding-string (url-unhex-string (replace-regexp-in-string "#.*\\'" "" path)) 'utf-8))))
        (cond ((string-empty-p target) nil)
              (wiki (list "wiki" target))
              ((string-prefix-p "note:" path) (list "id" (substring target 5)))
              ((not (string-match-p "\\`\\([[:alpha:]][[:alnum:]+.-]+:\\|//\\)" path)) (list "path" target)))))))

(defun notesd-links--at-point ()
  "Return (KIND TARGET) of the link at point, or else of the next one in its line."
  (let ((here (point)) (found nil))
    (save-excursion
      (beginning-of-line)
      (while (and (not found) (re-search-forward notesd-links--pattern (line-end-position) t))
        (when (<= here (match-end 0)) (setq found (notesd-links--target)))))
    found))

(defun notesd-links--run (&rest arguments)
  "Run the program of `notesd-command' with ARGUMENTS in place of \"attach\".
Return its output."
  (let* ((before (seq-take-while (lambda (word) (not (equal word "attach"))) notesd-command))
         (command (append before arguments
                          (and notesd-socket (list "--socket" (expand-file-name notesd-socket)))))
         (default-directory "/"))
    (when (or (null before) (equal before notesd-command))
      (user-error "`notesd-command' does not run notesctl attach, so other commands cannot be run"))
    (with-temp-buffer
      (let ((status (apply #'call-process (car command) nil t nil (cdr command)))
            (output (string-trim (buffer-string))))
        (unless (eql status 0) (user-error "%s" output))
        output))))

;;;###autoload
(defun notesd-paste ()
  "Keep the picture in the clipboard as a file, and insert a link to it."
  (interactive)
  (notesd-take-note)
  (insert (notesd-links--run "file" "paste")))

;;;###autoload
(defun notesd-follow ()
  "Open the note that the link at point means, or the next link in the line.
A link to a file opens a copy of it in the program for its type."
  (interactive)
  (let* ((link (or (notesd-links--at-point) (user-error "There is no link at point or after it in this line")))
         (answer (notesd-rpc-call "links.resolve"
                                  (append
                                   (list :targets (vector (list :kind (car link) :target (cadr link)))
                                         :from (notesd-note-id (notesd-take-note)))
                                   (and (notesd-rpc-can "files") (list :kind "any")))))
         (note (car (append (plist-get (car (append (plist-get answer :found) nil)) :notes) nil))))
    (unless note (user-error "No note has the name %s" (cadr link)))
    (if (plist-get note :file)
        (notesd-links--run "file" "open" (plist-get note :id))
      (push-mark nil t)
      (notesd-open-id (plist-get note :id)))))

;;;###autoload
(defun notesd-backlinks ()
  "Show the links in other notes that mean this note."
  (interactive)
  (let* ((name (progn (notesd-take-note) (notesd-sync-name)))
         (answer (notesd-rpc-call "links.to" (list :id (notesd-note-id (notesd-take-note)) :limit notesd-links-max)))
         (links (append (plist-get answer :links) nil)))
    (with-current-buffer (get-buffer-create "*notes linking here*")
      (notesd-list-hits-mode)
      (setq-local revert-buffer-function nil)
      (let ((inhibit-read-only t))
        (erase-buffer)
        (insert (format "%s%d link%s to %s\n\n" (if (plist-get answer :next) "The first " "") (length links)
                        (if (= 1 (length links)) "" "s") name))
        (dolist (link links)
          (notesd-list--insert-hit (list :note (plist-get link :note) :snippet (plist-get link :snippet)))))
      (goto-char (point-min))
      (pop-to-buffer (current-buffer)))))

(provide 'notesd-links)
;;; notesd-links.el ends here
