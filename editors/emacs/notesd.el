;;; notesd.el --- Notes that many editors write at once -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors

;; Author: The notesd authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, text, comm
;; URL: https://github.com/notesd/notesd
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Notes of a notesd daemon as buffers.  What is typed goes out as it is typed,
;; what others type comes in as they type it; point, region and undo stay the
;; user's own.  Start with `notesd-list' or `notesd-find'.

;;; Code:

(require 'notesd-sync)

(defvar notesd-command-map
  (let ((map (make-sparse-keymap)))
    (define-key map "c" #'notesd-next-conflict)
    (define-key map "m" #'notesd-keep-mine)
    (define-key map "o" #'notesd-keep-other)
    (define-key map "b" #'notesd-keep-base)
    (define-key map "a" #'notesd-keep-all)
    (define-key map "v" #'notesd-show-sides)
    (dotimes (side 9)
      (define-key map (number-to-string (1+ side)) #'notesd-keep-side))
    (define-key map "h" #'notesd-history)
    (define-key map "s" #'notesd-search)
    (define-key map "f" #'notesd-find)
    (define-key map "l" #'notesd-list)
    (define-key map "r" #'notesd-rename)
    map)
  "Keys behind \\`C-c ,'.")

(defvar notesd-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map [remap save-buffer] #'notesd-save)
    (define-key map [remap write-file] #'notesd-write-file)
    (define-key map (kbd "C-c ,") notesd-command-map)
    map)
  "Keymap of `notesd-mode'.")

(autoload 'notesd-next-conflict "notesd-conflicts" nil t)
(autoload 'notesd-keep-mine "notesd-conflicts" nil t)
(autoload 'notesd-keep-other "notesd-conflicts" nil t)
(autoload 'notesd-keep-base "notesd-conflicts" nil t)
(autoload 'notesd-keep-all "notesd-conflicts" nil t)
(autoload 'notesd-keep-side "notesd-conflicts" nil t)
(autoload 'notesd-show-sides "notesd-conflicts" nil t)
(autoload 'notesd-conflicts-show "notesd-conflicts")
(autoload 'notesd-history "notesd-history" nil t)
(autoload 'notesd-search "notesd-list" nil t)
(autoload 'notesd-list "notesd-list" nil t)
(autoload 'notesd-complete "notesd-complete")
(autoload 'notesd-presence-start "notesd-presence")
(declare-function notesd-presence-stop "notesd-presence")

(defun notesd-mode-line ()
  "Return how the note of the current buffer stands, for the mode line."
  (let ((m notesd-sync-machine))
    (if (null m) ""
      (concat
       " Note"
       (pcase (notesd-machine-phase m)
         ('offline ":OFFLINE") ('deleted ":DELETED") ('stranded ":UNKNOWN") ('refused ":REFUSED")
         ('live (cond ((notesd-machine-problem m) ":PROBLEM")
                      ((notesd-machine-pending-write m) ":…"))))
       (let ((conflicts (length (notesd-machine-conflicts m))))
         (if (> conflicts 0) (format "!%d" conflicts) ""))))))

;;;###autoload
(define-minor-mode notesd-mode
  "Follow a note of the notes daemon.
What is typed goes to the daemon as it is typed, and what others type comes in.
\\[notesd-save] says when all of it is durable.

\\{notesd-mode-map}"
  :lighter (:eval (notesd-mode-line))
  :keymap notesd-mode-map
  (if (not notesd-mode)
      (notesd--mode-off)
    (unless notesd-sync-machine
      (setq notesd-mode nil)
      (user-error "This buffer has no note; open one with `notesd-find'"))
    (setq-local undo-inhibit-region t)
    (setq-local buffer-offer-save t)
    (pcase-dolist (`(,hook . ,function) notesd--hooks) (add-hook hook function nil t))
    (add-hook 'change-major-mode-after-body-hook #'notesd--major-mode-changed)
    (notesd-presence-start)))

(defconst notesd--hooks
  '((write-contents-functions . notesd--write-contents)
    (kill-buffer-query-functions . notesd--kill-query)
    (completion-at-point-functions . notesd-complete)
    (after-set-visited-file-name-hook . notesd--file-chosen)
    (notesd-sync-changed-functions . notesd-conflicts-show))
  "What runs in a buffer that follows a note: (HOOK . FUNCTION) each.")

(defun notesd--mode-off ()
  "Have the current buffer be one that follows no note any more.
What was not sent is kept on disk."
  (when notesd-sync-machine
    (notesd-sync-draft)
    (unless (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))
      (message "notesd: what the daemon does not have of %s goes out when it is opened again" (notesd-sync-name)))
    (setf (notesd-machine-conflicts notesd-sync-machine) nil)
    (run-hooks 'notesd-sync-changed-functions)
    (notesd-presence-stop)
    (notesd-sync-stop))
  (pcase-dolist (`(,hook . ,function) notesd--hooks) (remove-hook hook function t))
  (mapc #'kill-local-variable '(undo-inhibit-region buffer-offer-save)))

(put 'notesd-sync-machine 'permanent-local t)
(dolist (variable '(notesd-sync--dos notesd-sync--events notesd-sync--running notesd-sync--timer
                    notesd-buffer-typed-end notesd-undo--owed notesd-sync--retry notesd-sync--wait notesd-sync--check notesd-sync--drafting
                    notesd-sync--watch notesd-sync--announce))
  (put variable 'permanent-local t))
(put 'notesd-sync--after-change 'permanent-local-hook t)
(put 'notesd-sync-stop 'permanent-local-hook t)
(put 'notesd-undo--before-command 'permanent-local-hook t)

(defun notesd--major-mode-changed ()
  "Follow the note on where the user chose another major mode."
  (when (and notesd-sync-machine (not (bound-and-true-p notesd-mode)))
    (notesd-mode 1)))

;;; Opening

(defun notesd--open (note)
  "Return the buffer of NOTE, as `note.get' answers it, made if there is none."
  (or (notesd-sync-buffer (plist-get note :id))
      (let* ((name (plist-get note :name))
             (buffer (generate-new-buffer (format "%s<note>" (or name (plist-get note :id))))))
        (with-current-buffer buffer
          (condition-case problem
              (notesd--start note)
            ((error quit) (kill-buffer buffer) (signal (car problem) (cdr problem))))
          (notesd--major-mode name)
          (notesd-mode 1))
        buffer)))

(defun notesd--start (note)
  "Have the current buffer follow NOTE, going on where a draft was left."
  (let* ((draft (notesd-draft-read (plist-get note :id)))
         (base (and draft (notesd--base note draft))))
    (cond ((null draft) (notesd-sync-start note))
          (base
           (notesd-draft-own draft)
           (message "notesd: %s goes on from what was typed and not sent%s" (plist-get note :name)
                    (if (> (plist-get draft :more) 0) "; open it once more for what another Emacs left" ""))
           (notesd-sync-start base draft))
          (t
           (notesd-sync-start note)
           (notesd-sync-keep (plist-get draft :text))
           (message "notesd: the daemon does not know what this was typed on; it is shown until you delete %s"
                    (plist-get draft :file))))))

(defun notesd--base (note draft)
  "Return NOTE at the version that DRAFT is on, or nil if the daemon lost that.
Signal an error where it only cannot say so now."
  (pcase-let ((`(,result ,failure)
               (notesd-rpc-ask "note.get" (list :id (plist-get note :id) :at (plist-get draft :version)))))
    (or (plist-get result :note)
        (unless (member (plist-get failure :kind) '("note_not_found" "unknown_base" "revision_gone"))
          (user-error "There is text that was not sent, and the daemon does not say what it is on: %s"
                      (plist-get failure :message))))))

(defun notesd--major-mode (name)
  "Choose the major mode for a note called NAME, as if it were a file.
A name without an extension is taken for Markdown, if there is a mode for it.
What the text says of a mode does not count: others write it, and it could name
any command that ends in -mode."
  (let ((buffer-file-name (and name (if (file-name-extension name) name (concat name ".md"))))
        (enable-local-variables nil))
    (delay-mode-hooks (set-auto-mode)))
  (run-mode-hooks)
  (when (eq major-mode 'fundamental-mode) (text-mode)))

(defun notesd-notes ()
  "Return all notes, without their texts, by name."
  (let ((notes nil) (after nil) (more t))
    (while more
      (let ((page (notesd-rpc-call "note.list" (append (list :limit 1000) (and after (list :after after))))))
        (setq notes (nconc notes (plist-get page :notes))
              after (plist-get page :next) more after)))
    notes))

(defun notesd--names ()
  "Return the names of all notes, in order."
  (delq nil (mapcar (lambda (note) (plist-get note :name)) (notesd-notes))))

;;;###autoload
(defun notesd-find (name)
  "Show the note called NAME, and make it if there is none."
  (interactive (list (completing-read "Note: " (notesd--names) nil nil nil 'notesd-find-history)))
  (when (string-empty-p name) (user-error "A note needs a name"))
  (notesd-rpc-await-connection)
  (let ((note (or (notesd-get :name name) (notesd--create name))))
    (pop-to-buffer-same-window (notesd--open note))))

(defvar notesd-find-history nil "Names of notes that were asked for.")

(defun notesd-open-id (id)
  "Show the note ID."
  (let ((note (notesd-get :id id)))
    (unless note (user-error "This note is gone"))
    (pop-to-buffer-same-window (notesd--open note))))

(defun notesd-get (member value)
  "Return the note whose MEMBER, :name or :id, is VALUE; nil if there is none."
  (pcase (notesd-rpc-ask "note.get" (list member value))
    (`(nil ,failure) (unless (equal (plist-get failure :kind) "note_not_found")
                       (user-error "%s" (plist-get failure :message))))
    (`(,result . ,_) (plist-get result :note))))

(defun notesd--create (name)
  "Make an empty note called NAME, and return it with its text."
  (let ((note (plist-get (notesd-rpc-call "note.create" (list :text "" :name name :op (notesd-sync-op))) :note)))
    (append note (list :text ""))))

(defun notesd-rename (name)
  "Give the note of this buffer the NAME."
  (interactive (list (read-string "New name: " (notesd-machine-name notesd-sync-machine))))
  (notesd-settle)
  (notesd-rpc-call "note.save" (list :id (notesd-machine-id notesd-sync-machine)
                                     :base (notesd-machine-version notesd-sync-machine)
                                     :op (notesd-sync-op)
                                     :name (if (string-empty-p name) :null name)))
  (notesd-sync-read-again))

(defun notesd-set-text (text)
  "Make the note of this buffer TEXT, by as small changes as can be."
  (let ((edits (notesd-diff (notesd-buffer-text)
                            (if notesd-sync--dos (notesd-edits-from-dos text) text))))
    (save-excursion
      (save-restriction
        (widen)
        (pcase-dolist (`(,start ,end ,new) (reverse edits))
          (goto-char (1+ start))
          (insert new)
          (delete-region (point) (+ (point) (- end start))))))))

;;; Saving

(defun notesd--settled-p ()
  "Return whether nothing is under way for this buffer, and all is durable."
  (and (null (notesd-machine-pending notesd-sync-machine)) (null notesd-sync--events)
       (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))))

(defun notesd-settle ()
  "Wait until nothing is under way for this buffer and all of it is durable.
Signal an error if that does not come about.  A command that writes by itself
calls this first: one write is under way at most."
  (let ((until (time-add nil notesd-timeout)))
    (notesd-sync--run)
    (while (and (not (notesd--settled-p)) (time-less-p nil until)
                (memq (notesd-machine-phase notesd-sync-machine) '(live deleted)))
      (accept-process-output nil 0.02))
    (unless (notesd--settled-p) (notesd--not-durable))))

(defun notesd--not-durable ()
  "Signal an error that says that this note is not durable, and why."
  (user-error "%s is not durable: %s" (notesd-sync-name)
              (cond ((notesd-machine-problem notesd-sync-machine)
                     (substitute-command-keys (notesd-machine-problem notesd-sync-machine)))
                    ((notesd-rpc-connected-p) "the daemon does not answer")
                    (t "no connection to the daemon"))))

(defun notesd-save (&optional insist)
  "Send what there is to send, and say when all of the note is durable.
With a prefix argument, INSIST: bring a note back that was deleted."
  (interactive "P")
  (unless notesd-sync-machine (user-error "This buffer follows no note"))
  (let ((m notesd-sync-machine))
    (pcase (notesd-machine-phase m)
      ('offline (setq notesd-sync--announce t)
                (notesd-rpc-connect)
                (message "%s is not durable: no connection to the daemon; it is sent as soon as there is one"
                         (notesd-sync-name)))
      ((and 'deleted (guard insist))
       (setq notesd-sync--announce t)
       (notesd-sync--tell (lambda (m _ _) (notesd-machine-restore m))))
      ((and 'deleted (guard (notesd-machine-durable-p m (notesd-sync-text))))
       (message "%s is deleted; %s brings it back" (notesd-sync-name)
                (substitute-command-keys "C-u \\[notesd-save]")))
      ('stranded (message "%s is not durable: %s" (notesd-sync-name)
                          (substitute-command-keys (or (notesd-machine-problem m) "the daemon does not have it"))))
      (_ (setq notesd-sync--announce t)
         ;; Said again, if it is one still.
         (unless (notesd-machine-pending-write m) (setf (notesd-machine-problem m) nil))
         (notesd-sync--tell (lambda (m _ _) (notesd-machine-retry m)))))))

(defun notesd--write-contents ()
  "Write the buffer, for commands that have to know how it went.
Wait a while for the daemon; signal an error if the note is not durable then."
  (let ((until (time-add nil notesd-timeout)))
    (notesd-save)
    (while (and (not (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text)))
                (time-less-p nil until))
      (accept-process-output nil 0.05))
    (or (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))
        (notesd--not-durable))))

(defun notesd-write-file (file)
  "Write a copy of the note of this buffer to FILE.
The buffer goes on following its note."
  (interactive "FWrite a copy of this note to file: ")
  (unless notesd-sync-machine (user-error "This buffer follows no note"))
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region (notesd-sync-text) nil file nil nil nil t)))

(defun notesd--file-chosen ()
  "Follow the note no more where the buffer has been made that of a file."
  (when buffer-file-name
    (message "%s stays as the daemon has it; this buffer is a file's now" (notesd-sync-name))
    (notesd-mode -1)))

(defun notesd--kill-query ()
  "Ask before text is thrown away that the daemon does not have."
  (or (notesd-sync-clone-p)
      (null notesd-sync-machine)
      (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))
      (and (yes-or-no-p (format "%s has text that the daemon does not have; throw it away? "
                                (notesd-sync-name)))
           (progn (notesd-draft-remove notesd-sync-machine) t))))

(provide 'notesd)
;;; notesd.el ends here
