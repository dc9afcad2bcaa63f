;;; notesd.el --- Notes that many editors write at once -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors

;; Author: The notesd authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: convenience, text, comm
;; URL: https://github.com/notesd/notesd
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Shows the notes of a notesd daemon as buffers.  Typed text is sent as it is
;; typed, and what others type appears as they type it; point, region and undo
;; remain the user's own.  Start with `notesd-list' or `notesd-find'.

;;; Code:

(require 'notesd-steps)

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
    (define-key map "g" #'notesd-follow)
    (define-key map "L" #'notesd-backlinks)
    map)
  "Keys after \\`C-c ,'.")

(defvar notesd-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map [remap save-buffer] #'notesd-save)
    (define-key map [remap write-file] #'notesd-write-file)
    (define-key map [remap undo] #'notesd-undo)
    (define-key map [remap undo-only] #'notesd-undo-only)
    (define-key map [remap undo-redo] #'notesd-redo)
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
(autoload 'notesd-follow "notesd-links" nil t)
(autoload 'notesd-paste "notesd-links" nil t)
(autoload 'notesd-backlinks "notesd-links" nil t)
(autoload 'notesd-complete "notesd-complete")
(autoload 'notesd-presence-start "notesd-presence")
(declare-function notesd-presence-stop "notesd-presence")
(declare-function bookmark-default-handler "bookmark")
(declare-function bookmark-get-bookmark-record "bookmark")
(declare-function bookmark-make-record-default "bookmark")
(declare-function bookmark-prop-get "bookmark")

(defun notesd-mode-line ()
  "Return the state of the current buffer's note, for the mode line."
  (let ((note notesd-sync-note))
    (if (null note) ""
      (concat
       " Note"
       (pcase (notesd-sync-phase)
         ('offline ":OFFLINE") ('deleted ":DELETED") ('stranded ":UNKNOWN") ('refused ":REFUSED")
         (_ (cond ((notesd-note-problem note) ":PROBLEM")
                  ((notesd-note-since note) ":…"))))
       (let ((conflicts (length (notesd-note-conflicts note))))
         (if (> conflicts 0) (format "!%d" conflicts) ""))))))

(defconst notesd--hooks
  '((write-contents-functions . notesd--write-contents)
    (kill-buffer-query-functions . notesd--kill-query)
    (completion-at-point-functions . notesd-complete)
    (after-set-visited-file-name-hook . notesd--file-chosen)
    (notesd-sync-changed-functions . notesd-conflicts-show))
  "Hook functions of a buffer that follows a note: a list of (HOOK . FUNCTION).")

;;;###autoload
(define-minor-mode notesd-mode
  "Follow a note of the notes daemon.
Typed text goes to the daemon as it is typed, and what others type appears.
\\[notesd-save] reports when all of it is durable.

\\{notesd-mode-map}"
  :lighter (:eval (notesd-mode-line))
  :keymap notesd-mode-map
  (if (not notesd-mode)
      (notesd--mode-off)
    (unless notesd-sync-note
      (setq notesd-mode nil)
      (user-error "This buffer has no note; open one with `notesd-find'"))
    (setq-local buffer-offer-save t
                bookmark-make-record-function #'notesd--bookmark
                revert-buffer-function #'notesd--revert)
    (pcase-dolist (`(,hook . ,function) notesd--hooks) (add-hook hook function nil t))
    (add-hook 'change-major-mode-after-body-hook #'notesd--major-mode-changed)
    (notesd-presence-start)))

(defun notesd--mode-off ()
  "Stop following the note in the current buffer.
Then notesctl sends the rest, or keeps it in a draft."
  (when notesd-sync-note
    (notesd-sync-flush)
    (unless (notesd-sync-durable-p)
      (notesd-message (if (notesd-note-open notesd-sync-note) "notesd: unsent text of %s goes out when you open the note again"
                        "notesd: this buffer alone has the unsent text of %s")
                      (notesd-sync-name)))
    (setf (notesd-note-conflicts notesd-sync-note) nil)
    (run-hooks 'notesd-sync-changed-functions)
    (notesd-presence-stop)
    (notesd-sync-stop))
  (pcase-dolist (`(,hook . ,function) notesd--hooks) (remove-hook hook function t))
  (mapc #'kill-local-variable '(buffer-offer-save bookmark-make-record-function revert-buffer-function)))

(dolist (variable '(notesd-sync-note notesd-sync--timer notesd-sync--announce
                    notesd-buffer-typed-end notesd-buffer--undo))
  (put variable 'permanent-local t))
(put 'notesd-sync--after-change 'permanent-local-hook t)
(put 'notesd-sync-stop 'permanent-local-hook t)

(defun notesd--major-mode-changed ()
  "Go on following the note after the user has changed the major mode."
  (when (and notesd-sync-note (not (bound-and-true-p notesd-mode)))
    (notesd-mode 1)))

;;; Opening

(defun notesd--open (&rest subject)
  "Return a new buffer for the note SUBJECT, a plist for buffer.open.
Return nil if there is no such note."
  (let* ((number (notesd-sync-number)) (buffer nil)
         ;; The next message may be an edit, so that the buffer must be there.
         (failure (cadr (notesd-rpc-ask "buffer.open" (append (list :buffer number) subject)
                                        (lambda (result) (setq buffer (notesd--show number result)))))))
    (when (and failure (not (equal (plist-get failure :kind) "note_not_found"))) (notesd-rpc-fail failure))
    (when buffer
      (with-current-buffer buffer
        (notesd--major-mode (notesd-note-name notesd-sync-note))
        (notesd-mode 1)
        (notesd-sync--changed)))
    buffer))

(defun notesd--buffer (id)
  "Return the buffer of the note ID; open it if needed."
  (or (notesd-sync-buffer id) (notesd--open :id id) (user-error "The daemon does not have this note")))

(defun notesd--show (number result)
  "Return a new buffer for the note that was opened as NUMBER with RESULT."
  (let* ((name (plist-get result :name)) (text (plist-get result :text))
         (note (notesd-note--make :number number :id (plist-get result :id) :name name :told text
                                  :conflicts (plist-get result :conflicts)
                                  :dos (equal (plist-get result :lineEnds) "crlf"))))
    (with-current-buffer (generate-new-buffer (format "%s<note>" (or name (plist-get result :id))))
      (notesd-sync-start note text)
      (notesd-take-opened note result)
      (current-buffer))))

(defun notesd--major-mode (name)
  "Choose the major mode for a note called NAME, as if it were a file.
A name without an extension means Markdown, if there is a mode for it.
Ignore modes that the text specifies: others write the text, and it could name
any command that ends in -mode."
  (let ((buffer-file-name (and name (if (file-name-extension name) name (concat name ".md"))))
        (enable-local-variables nil))
    (delay-mode-hooks (set-auto-mode)))
  (run-mode-hooks)
  (when (eq major-mode 'fundamental-mode) (text-mode)))

(defun notesd-notes ()
  "Return all notes, without their texts, sorted by name."
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
  "Show the note called NAME; create it if it does not exist.
Interactively, confirm a name that no note has by typing RET again: everybody
sees the new note, and a mistyped name is not meant to make one."
  (interactive (list (completing-read "Note: " (notesd--names) nil 'confirm nil 'notesd-find-history)))
  (when (string-empty-p name) (user-error "A note needs a name"))
  (let ((note (notesd-get :name name)))
    (pop-to-buffer-same-window
     (cond (note (notesd--buffer (plist-get note :id)))
           ;; An editor may have left a draft of a note by that name.
           ((notesd--open :name name))
           (t (notesd--open :create (list :id (notesd--new-id) :name name :text "")))))))

(defvar notesd-find-history nil "History of note names.")

(defun notesd--new-id ()
  "Return a new UUID of version 7."
  (let ((random (lambda (bits) (random (ash 1 bits)))) (now (truncate (* 1000 (float-time)))))
    (format "%08x-%04x-7%03x-%04x-%012x" (ash now -16) (logand now #xffff) (funcall random 12)
            (logior #x8000 (funcall random 14)) (funcall random 48))))

(defun notesd-open-id (id)
  "Show the note ID."
  (pop-to-buffer-same-window (notesd--buffer id)))

(defun notesd--bookmark ()
  "Return a bookmark of point in this note."
  `(,(notesd-sync-name) ,@(bookmark-make-record-default t)
    (note . ,(notesd-note-id notesd-sync-note)) (handler . notesd-bookmark-jump)))

;;;###autoload
(defun notesd-bookmark-jump (bookmark)
  "Go to the note and the place of BOOKMARK."
  (save-window-excursion (notesd-open-id (bookmark-prop-get bookmark 'note)))
  (let ((buffer (notesd-sync-buffer (bookmark-prop-get bookmark 'note))))
    (bookmark-default-handler
     `("" (buffer . ,buffer) . ,(bookmark-get-bookmark-record bookmark)))))

(defun notesd--revert (&rest _)
  "Open the note again.  Text that the daemon does not have stays."
  (notesd-take-again))

(defun notesd-get (member value)
  "Return the note whose MEMBER, :name or :id, is VALUE; nil if there is none."
  (pcase (notesd-rpc-ask "note.get" (list member value))
    (`(nil ,failure) (unless (equal (plist-get failure :kind) "note_not_found") (notesd-rpc-fail failure)))
    (`(,result . ,_) (plist-get result :note))))

(defun notesd-rename (name)
  "Rename the note of this buffer to NAME."
  (interactive (list (read-string "New name: " (notesd-note-name (notesd-take-note)))))
  (notesd-take-call "buffer.rename" :name (if (string-empty-p name) :null name)))

;;; Saving

(defun notesd--not-durable (&optional why)
  "Signal an error saying that this note is not durable, and WHY."
  (user-error "%s is not durable: %s" (notesd-sync-name)
              (cond ((notesd-note-problem notesd-sync-note)
                     (substitute-command-keys (notesd-note-problem notesd-sync-note)))
                    (why)
                    ((notesd-rpc-connected-p) "the daemon does not answer")
                    (t "no connection to the daemon"))))

(defun notesd-save (&optional insist)
  "Send what is left, and report when the whole note is durable.
With prefix argument INSIST, bring a deleted note back."
  (interactive "P")
  (let ((note (notesd-take-note)))
    (notesd-sync-flush)
    (pcase (notesd-sync-phase)
      ('stranded (notesd-message "%s is not durable: %s" (notesd-sync-name)
                                 (substitute-command-keys (or (notesd-note-problem note) "the daemon does not have it"))))
      ((and 'deleted (guard insist))
       (setq notesd-sync--announce t)
       (notesd-take-call "buffer.restore")
       (when (notesd-note-name note) (notesd-take-call "buffer.rename" :name (notesd-note-name note))))
      ((and 'deleted (guard (notesd-sync-durable-p)))
       (notesd-message "%s is deleted; %s brings it back" (notesd-sync-name)
                       (substitute-command-keys "C-u \[notesd-save]")))
      (phase
       (when (notesd-note-problem note) (notesd-sync--tell (notesd-note-problem note)))
       (setq notesd-sync--announce t)
       (notesd-rpc-connect)
       (when (eq phase 'offline) (notesd--offline))
       (notesd-take-save
        (lambda (_ failure)
          (cond ((null failure))
                ((eq phase 'offline))
                ((member (plist-get failure :kind) '("offline" "disconnected")) (notesd--offline))
                (t (notesd-message "%s is not durable: %s" (notesd-sync-name) (plist-get failure :message))))))))))

(defun notesd--offline ()
  "Report that this note cannot be saved now."
  (notesd-message "%s is not durable: no connection; it will be sent after reconnecting" (notesd-sync-name)))

(defun notesd--write-contents ()
  "Write the buffer, for commands that need to know the outcome.
Wait for the daemon; signal an error if the note is not durable after that."
  (let ((until (time-add nil notesd-timeout)))
    (notesd-save)
    (while (and (not (notesd-sync-durable-p)) (time-less-p nil until))
      (accept-process-output nil 0.05))
    (or (notesd-sync-durable-p) (notesd--not-durable))))

(defun notesd-write-file (file)
  "Write a copy of this buffer's note to FILE.
The buffer goes on following its note."
  (interactive "FWrite a copy of this note to file: ")
  (notesd-take-note)
  (let ((coding-system-for-write 'utf-8-unix))
    (write-region (notesd-sync-text) nil file nil nil nil t)))

(defun notesd--file-chosen ()
  "Stop following the note if the buffer now visits a file."
  (when buffer-file-name
    (notesd-message "This buffer now visits a file and no longer follows the note %s" (notesd-sync-name))
    (notesd-mode -1)))

(defun notesd--kill-query ()
  "Ask before the buffer is killed with text that the daemon does not have."
  (or (notesd-sync-clone-p)
      (null notesd-sync-note)
      (notesd--settled-soon-p)
      (yes-or-no-p (format (if (notesd-note-open notesd-sync-note)
                               "The daemon does not have all of %s; send the rest when you open it again? "
                             "This buffer alone has all of %s; kill it anyway? ")
                           (notesd-sync-name)))))

(defun notesd--settled-soon-p ()
  "Return whether the text of this buffer is durable, or is so in a moment."
  (let ((until (time-add nil 1)))
    (notesd-sync-flush)
    (while (and (not (notesd-sync-durable-p)) (eq (notesd-sync-phase) 'live) (time-less-p nil until))
      (accept-process-output nil 0.02))
    (notesd-sync-durable-p)))

(defun notesd--end ()
  "Send the rest before Emacs exits.
Then notesctl goes on until the daemon has it, or keeps it in drafts."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (notesd-sync-flush)))
  (notesd-rpc-finish 1))
(add-hook 'kill-emacs-hook #'notesd--end)

(provide 'notesd)
;;; notesd.el ends here
