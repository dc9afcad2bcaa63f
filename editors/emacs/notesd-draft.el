;;; notesd-draft.el --- Drafts: unsent text on disk -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Text that cannot be sent for a second is written to a draft, one file for
;; each note and each Emacs.  It has the text, the version that the text is
;; based on, and the unanswered write, if there is one.  When everything is
;; durable, the draft is removed.
;;
;; The next Emacs that opens the note continues from the draft, unless the
;; Emacs named in the file name is still running.  It takes the draft by
;; renaming the file, so that no two files have the same text.  An existing
;; draft records each write before it is sent; otherwise its text would be sent
;; twice.

;;; Code:

(require 'notesd-machine)
(require 'notesd-message)

(defcustom notesd-draft-directory (locate-user-emacs-file "notesd-drafts/")
  "Directory for text that the daemon does not have yet."
  :type 'directory :group 'notesd)

(defvar-local notesd-draft--written nil
  "This buffer's draft on disk: (VERSION TEXT WRITE), t if unknown, or nil.")
(put 'notesd-draft--written 'permanent-local t)

(defun notesd-draft--line (file)
  "Return the text of FILE, a file below /proc, or nil."
  (with-temp-buffer
    (condition-case nil
        (progn (insert-file-contents-literally file) (buffer-string))
      (file-error nil))))

(defun notesd-draft--process (pid)
  "Return a unique name for process PID, or nil if there is no such process.
It has the number and the start time of the process, and the boot they refer to."
  (let ((stat (notesd-draft--line (format "/proc/%d/stat" pid)))
        (boot (notesd-draft--line "/proc/sys/kernel/random/boot_id")))
    (cond
     ;; The command's name may contain anything; the third and later fields follow it.
     ((and boot stat (string-match ".*) \\(.*\\)" stat))
      (format "%d-%s-%s" pid (nth 19 (split-string (match-string 1 stat))) (substring boot 0 8)))
     ((process-attributes pid) (number-to-string pid)))))

(defun notesd-draft--file (id &optional process)
  "Return the draft file for the note ID of PROCESS, or of this Emacs."
  (expand-file-name (format "%s.%s.json" id (or process (notesd-draft--process (emacs-pid))))
                    notesd-draft-directory))

(defun notesd-draft--said (text)
  "Return TEXT as members for JSON, with characters invalid in JSON kept apart."
  (let ((pieces nil) (odd nil) (from 0) at)
    (while (setq at (notesd-edits-unsendable text from))
      (push (vector at (aref text at)) odd)
      (push (concat (substring text from at) "?") pieces)
      (setq from (1+ at)))
    (append (list :text (apply #'concat (nreverse (cons (substring text from) pieces))))
            (and odd (list :odd (vconcat (nreverse odd)))))))

(defun notesd-draft--heard (draft)
  "Return the text of DRAFT, which `notesd-draft--said' encoded."
  (let ((text (plist-get draft :text)) (pieces nil) (from 0))
    (seq-doseq (place (plist-get draft :odd))
      (push (concat (substring text from (aref place 0)) (string (aref place 1))) pieces)
      (setq from (1+ (aref place 0))))
    (and text (apply #'concat (nreverse (cons (substring text from) pieces))))))

(defun notesd-draft-write (m text)
  "Write a draft of TEXT, with the state of M, to disk."
  (let* ((file (notesd-draft--file (notesd-machine-id m))) (new (concat file ".new"))
         (write (notesd-machine-pending-write m))
         (content (list (notesd-machine-version m) text write))
         (json (json-serialize
                (append (list :version (notesd-machine-version m))
                        (notesd-draft--said text)
                        (and write (list :method (plist-get write :method) :params (plist-get write :params)
                                         :sent (plist-get write :text)))))))
    (unless (equal content notesd-draft--written)
      (with-file-modes #o700 (make-directory notesd-draft-directory t))
      (with-file-modes #o600
        (let ((coding-system-for-write (if (multibyte-string-p json) 'utf-8-unix 'no-conversion))
              (write-region-inhibit-fsync nil))
          (write-region json nil new nil 'silent)))
      (rename-file new file t)
      (setq notesd-draft--written content))))

(defun notesd-draft-remove (m)
  "Remove the draft of M, if this buffer has one."
  (when notesd-draft--written
    (let ((file (notesd-draft--file (notesd-machine-id m))))
      (when (file-exists-p file) (delete-file file)))
    (setq notesd-draft--written nil)))

(defun notesd-draft--left (id)
  "Return the drafts of the note ID whose Emacs has ended, or is this one."
  (let ((pattern (concat "\\`" (regexp-quote id) "\\.\\(\\([0-9]+\\)[-0-9a-f]*\\)\\.json\\'")))
    (seq-filter (lambda (file)
                  (let ((name (file-name-nondirectory file)))
                    (string-match pattern name)
                    (let ((process (match-string 1 name)) (pid (string-to-number (match-string 2 name))))
                      (or (= pid (emacs-pid))
                          (not (equal process (notesd-draft--process pid)))))))
                (and (file-directory-p notesd-draft-directory)
                     (directory-files notesd-draft-directory t pattern)))))

(defun notesd-draft-read (id)
  "Return a draft of the note ID, a plist as it was written, or nil.
It also has :text, :file, its path, and :more, the number of other drafts.
Ignore the drafts of other Emacsen that are still running."
  (let* ((own (notesd-draft--file id))
         ;; The draft of this Emacs comes first: taking another would overwrite it.
         (files (sort (notesd-draft--left id) (lambda (a _) (equal a own))))
         (drafts (delq nil (mapcar #'notesd-draft--parse files))))
    (and drafts (append (car drafts) (list :id id :more (length (cdr drafts)))))))

(defun notesd-draft--parse (file)
  "Return the draft in FILE, or nil if there is none."
  (let* ((draft (with-temp-buffer
                  (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents file))
                  (condition-case nil (json-parse-buffer :object-type 'plist) (json-parse-error nil))))
         (text (notesd-draft--heard draft)))
    (if (not (and text (plist-get draft :version)))
        (progn (notesd-message "notesd: %s is not a draft; leaving it as it is" file) nil)
      (append (list :text text :file file) draft))))

(defun notesd-draft-own (draft)
  "Take over DRAFT, which an Emacs that has ended left, for this buffer.
Signal `file-error' if another Emacs was faster."
  (rename-file (plist-get draft :file)
               (notesd-draft--file (plist-get draft :id)) t)
  (setq notesd-draft--written t))

(defun notesd-draft-take (m draft)
  "Make M continue from DRAFT; M's shadow is the text of its version."
  (setf (notesd-machine-held m) t (notesd-machine-typed m) t)
  (when (plist-get draft :method)
    (setf (notesd-machine-pending m)
          (list :method (plist-get draft :method) :params (plist-get draft :params)
                :text (plist-get draft :sent)))))

(provide 'notesd-draft)
;;; notesd-draft.el ends here
