;;; notesd-draft.el --- Drafts: unsent text on disk -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Text that is not on the daemon's disk after a second is written to a draft, one
;; file for each note and each Emacs.  It has what notesctl needs to go on: the
;; text, the versions that it is based on, and who typed it.  When everything is
;; durable, the draft is removed.  While there is a draft, it is written before
;; each change is sent; otherwise the next Emacs could take out what was sent.
;;
;; The next Emacs that opens the note first sends all drafts of it whose Emacsen,
;; named in the file names, have ended.  It does so as the Emacs that wrote the
;; draft, through a notesctl of its own, so that nothing is sent twice.

;;; Code:

(require 'seq)
(require 'notesd-rpc)

(defcustom notesd-draft-directory (locate-user-emacs-file "notesd-drafts/")
  "Directory for text that the daemon does not have yet."
  :type 'directory :group 'notesd)

(defvar-local notesd-draft--written nil
  "This buffer's draft on disk: (VERSIONS TEXT), t if unknown, or nil.")
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

(defun notesd-draft-write (id content)
  "Write a draft of the note ID with CONTENT, a plist."
  (let* ((file (notesd-draft--file id)) (new (concat file ".new")) (json (json-serialize content)))
    ;; The age in it grows without a change.
    (unless (equal (list (plist-get content :versions) (plist-get content :text)) notesd-draft--written)
      (with-file-modes #o700 (make-directory notesd-draft-directory t))
      (with-file-modes #o600
        (let ((coding-system-for-write (if (multibyte-string-p json) 'utf-8-unix 'no-conversion))
              (write-region-inhibit-fsync nil))
          (write-region json nil new nil 'silent)))
      (rename-file new file t)
      (setq notesd-draft--written (list (plist-get content :versions) (plist-get content :text))))))

(defun notesd-draft-remove (id)
  "Remove the draft of the note ID of this Emacs."
  (let ((file (notesd-draft--file id)))
    (when (file-exists-p file) (delete-file file))))

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

(defun notesd-draft-send-all (id)
  "Send all drafts of the note ID whose Emacs has ended, or is this one.
Return the texts of those that the daemon does not take.  Signal an error if it
does not answer."
  (let ((rest nil))
    (dolist (draft (delq nil (mapcar #'notesd-draft--parse (notesd-draft--left id))))
      (pcase (notesd-draft--send id draft)
        ('nil (notesd-message "notesd: unsent text is sent now")
              (delete-file (plist-get draft :file)))
        (why (push (plist-get draft :text) rest)
             (notesd-message "notesd: %s; this draft is shown until you delete %s" why (plist-get draft :file)))))
    rest))

(defun notesd-draft--send (id draft)
  "Send DRAFT of the note ID; return why the daemon does not take it, or nil."
  (let* ((process nil)
         (since (plist-get draft :since))
         (resume (list :versions (plist-get draft :versions) :writer (plist-get draft :writer) :text (plist-get draft :text)
                       :age (if (numberp since) (max 0 (truncate (- (float-time) since))) 0)))
         (open (list :buffer 1 :id id :resume resume)))
    (setq process (notesd-rpc-start (plist-get draft :writer)
                                    (lambda (method params)
                                      ;; Nobody looks at this text.
                                      (when (equal method "buffer.edit")
                                        (notesd-rpc-send "buffer.decline" (list :buffer 1 :k (plist-get params :k) :n 0 :busy t)
                                                         nil process)))
                                    #'ignore))
    (unwind-protect
        (pcase-let* ((`(,result ,failure) (notesd-rpc-ask "buffer.open" open nil process))
                     (failure (or failure (if (plist-get result :parted)
                                              '(:message "the daemon does not know the version of a draft")
                                            (cadr (notesd-rpc-ask "buffer.save" '(:buffer 1) nil process))))))
          (when (member (plist-get failure :kind) '("offline" "disconnected" "overloaded")) (notesd-rpc-fail failure))
          (plist-get failure :message))
      (when (process-live-p process) (process-send-eof process)))))

(defun notesd-draft--parse (file)
  "Return the draft in FILE, or nil if there is none."
  (let ((draft (with-temp-buffer
                 (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents file))
                 (condition-case nil (json-parse-buffer :object-type 'plist) (json-parse-error nil)))))
    (if (not (and (plist-get draft :text) (plist-get draft :versions) (plist-get draft :writer)))
        (progn (notesd-message "notesd: %s is not a draft; leaving it as it is" file) nil)
      (append (list :file file) draft))))

(provide 'notesd-draft)
;;; notesd-draft.el ends here
