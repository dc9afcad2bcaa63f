;;; notesd-draft.el --- Text that the daemon does not have yet, on disk -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; What cannot be sent for a second is written to a file of its own for each note
;; and each Emacs: the text, the version that it was typed on, and the write that
;; was sent and not answered, if there is one.  The file goes when all is durable.
;; Whoever opens the note next goes on from it, unless the Emacs runs whose name
;; the file has.  Going on from it is giving it one's own name, so that there is
;; never a second file of the same text.  While there is a file it knows of each
;; write before that is sent, or the text would be sent twice.

;;; Code:

(require 'notesd-machine)

(defcustom notesd-draft-directory (locate-user-emacs-file "notesd-drafts/")
  "Where text is kept that the daemon does not have yet."
  :type 'directory :group 'notesd)

(defvar-local notesd-draft--written nil
  "What is on disk for this buffer: (VERSION TEXT WRITE), t if not known, or nil.")
(put 'notesd-draft--written 'permanent-local t)

(defun notesd-draft--line (file)
  "Return the text of FILE, which the system makes up, or nil."
  (with-temp-buffer
    (condition-case nil
        (progn (insert-file-contents-literally file) (buffer-string))
      (file-error nil))))

(defun notesd-draft--process (pid)
  "Return a name that no process but PID ever has, or nil if there is none.
That is its number, when it began, and of which boot of the machine that counts."
  (let ((stat (notesd-draft--line (format "/proc/%d/stat" pid)))
        (boot (notesd-draft--line "/proc/sys/kernel/random/boot_id")))
    (cond
     ;; Behind the command's name, which may have anything in it, come the others from the third on.
     ((and boot stat (string-match ".*) \\(.*\\)" stat))
      (format "%d-%s-%s" pid (nth 19 (split-string (match-string 1 stat))) (substring boot 0 8)))
     ((process-attributes pid) (number-to-string pid)))))

(defun notesd-draft--file (id &optional process)
  "Return the file for the note ID of PROCESS, or of this Emacs."
  (expand-file-name (format "%s.%s.json" id (or process (notesd-draft--process (emacs-pid))))
                    notesd-draft-directory))

(defun notesd-draft--said (text)
  "Return TEXT as JSON can have it: the characters that it cannot have apart."
  (let ((pieces nil) (odd nil) (from 0) at)
    (while (setq at (notesd-edits-unsendable text from))
      (push (vector at (aref text at)) odd)
      (push (concat (substring text from at) "?") pieces)
      (setq from (1+ at)))
    (append (list :text (apply #'concat (nreverse (cons (substring text from) pieces))))
            (and odd (list :odd (vconcat (nreverse odd)))))))

(defun notesd-draft--heard (draft)
  "Return the text that DRAFT, as it was read, has as `notesd-draft--said'."
  (let ((text (plist-get draft :text)) (pieces nil) (from 0))
    (seq-doseq (place (plist-get draft :odd))
      (push (concat (substring text from (aref place 0)) (string (aref place 1))) pieces)
      (setq from (1+ (aref place 0))))
    (and text (apply #'concat (nreverse (cons (substring text from) pieces))))))

(defun notesd-draft-write (m text)
  "Keep TEXT, and what M knows of it, on disk."
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
  "Take the draft of M away, if this buffer has one."
  (when notesd-draft--written
    (let ((file (notesd-draft--file (notesd-machine-id m))))
      (when (file-exists-p file) (delete-file file)))
    (setq notesd-draft--written nil)))

(defun notesd-draft--left (id)
  "Return the files of the note ID whose Emacs has ended, or is this one."
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
It has :text, :file, where it is, and :more, how many other ones there are.
Those of an Emacs that still runs are none."
  (let* ((own (notesd-draft--file id))
         ;; This Emacs' own comes first: another one would take its place.
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
        (progn (message "notesd: %s is no draft; it is left as it is" file) nil)
      (append (list :text text :file file) draft))))

(defun notesd-draft-own (draft)
  "Make DRAFT, which an Emacs that has ended left, one of this buffer.
Signal `file-error' where another Emacs was faster."
  (rename-file (plist-get draft :file)
               (notesd-draft--file (plist-get draft :id)) t)
  (setq notesd-draft--written t))

(defun notesd-draft-take (m draft)
  "Have M go on where DRAFT was left; its shadow is the text of that version."
  (setf (notesd-machine-held m) t (notesd-machine-typed m) t)
  (when (plist-get draft :method)
    (setf (notesd-machine-pending m)
          (list :method (plist-get draft :method) :params (plist-get draft :params)
                :text (plist-get draft :sent)))))

(provide 'notesd-draft)
;;; notesd-draft.el ends here
