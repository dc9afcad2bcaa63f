;;; notesd-draft.el --- Text that the daemon does not have yet, on disk -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What cannot be sent for a second is written to a file of its own for each
;; note: the text, the version that it was typed on, and the write that was sent
;; and not answered, if there is one.  The file goes when all is durable.  Whoever
;; opens the note next goes on from it, unless the Emacs that wrote it runs.

;;; Code:

(require 'notesd-machine)

(defcustom notesd-draft-directory (locate-user-emacs-file "notesd-drafts/")
  "Where text is kept that the daemon does not have yet."
  :type 'directory :group 'notesd)

(defun notesd-draft--file (id)
  "Return the file of the note ID."
  (expand-file-name (concat id ".json") notesd-draft-directory))

(defun notesd-draft-write (m text)
  "Keep TEXT, and what M knows of it, on disk."
  (let* ((file (notesd-draft--file (notesd-machine-id m))) (new (concat file ".new"))
         (write (notesd-machine-pending-write m))
         (json (json-serialize
                (append (list :version (notesd-machine-version m) :text text :pid (emacs-pid))
                        (and write (list :method (plist-get write :method) :params (plist-get write :params)
                                         :sent (plist-get write :text)))))))
    (with-file-modes #o700 (make-directory notesd-draft-directory t))
    (with-file-modes #o600
      (let ((coding-system-for-write (if (multibyte-string-p json) 'utf-8-unix 'no-conversion))
            (write-region-inhibit-fsync nil))
        (write-region json nil new nil 'silent)))
    (rename-file new file t)))

(defun notesd-draft-remove (m)
  "Take the draft of M away, if there is one."
  (let ((file (notesd-draft--file (notesd-machine-id m))))
    (when (file-exists-p file) (delete-file file))))

(defun notesd-draft-read (id)
  "Return the draft of the note ID, a plist as it was written, or nil.
One whose Emacs still runs is none."
  (let ((file (notesd-draft--file id)))
    (when (file-exists-p file)
      (let ((draft (with-temp-buffer
                     (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents file))
                     (condition-case nil (json-parse-buffer :object-type 'plist)
                       (json-parse-error (message "notesd: %s is no draft; it is left as it is" file) nil)))))
        (unless (let ((pid (plist-get draft :pid)))
                  (and pid (/= pid (emacs-pid)) (process-attributes pid)
                       (string-search "emacs" (or (alist-get 'comm (process-attributes pid)) ""))))
          draft)))))

(defun notesd-draft-take (m draft)
  "Have M go on where DRAFT was left; its shadow is the text of that version."
  (setf (notesd-machine-held m) t (notesd-machine-typed m) t)
  (when (plist-get draft :method)
    (setf (notesd-machine-pending m)
          (list :method (plist-get draft :method) :params (plist-get draft :params)
                :text (plist-get draft :sent)))))

(provide 'notesd-draft)
;;; notesd-draft.el ends here
