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
    (unless notesd-sync-machine
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
Keep unsent text on disk."
  (when notesd-sync-machine
    (notesd-sync-draft)
    (unless (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))
      (notesd-message "notesd: unsent text of %s goes out when you open the note again" (notesd-sync-name)))
    (setf (notesd-machine-conflicts notesd-sync-machine) nil)
    (run-hooks 'notesd-sync-changed-functions)
    (notesd-presence-stop)
    (notesd-sync-stop))
  (pcase-dolist (`(,hook . ,function) notesd--hooks) (remove-hook hook function t))
  (mapc #'kill-local-variable '(buffer-offer-save bookmark-make-record-function revert-buffer-function)))

(put 'notesd-sync-machine 'permanent-local t)
(dolist (variable '(notesd-sync--dos notesd-sync--events notesd-sync--running notesd-sync--timer
                    notesd-buffer-typed-end notesd-undo--owed notesd-sync--retry notesd-sync--wait notesd-sync--check notesd-sync--drafting
                    notesd-sync--watch notesd-sync--announce))
  (put variable 'permanent-local t))
(put 'notesd-sync--after-change 'permanent-local-hook t)
(put 'notesd-sync-stop 'permanent-local-hook t)
(put 'notesd-undo--before-command 'permanent-local-hook t)

(defun notesd--major-mode-changed ()
  "Go on following the note after the user has changed the major mode."
  (when (and notesd-sync-machine (not (bound-and-true-p notesd-mode)))
    (notesd-mode 1)))

;;; Opening

(defun notesd--open (note)
  "Return the buffer of NOTE, a result of `note.get'; create it if needed."
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
  "Make the current buffer follow NOTE, continuing from a draft if there is one."
  (let* ((draft (notesd-draft-read (plist-get note :id)))
         (base (and draft (notesd--base note draft))))
    (cond ((null draft) (notesd-sync-start note))
          (base
           (notesd-draft-own draft)
           (notesd-message "notesd: %s continues from unsent text%s" (plist-get note :name)
                           (if (> (plist-get draft :more) 0) "; open it again for the text that another Emacs left" ""))
           (notesd-sync-start base draft))
          (t
           (notesd-sync-start note)
           (notesd-sync-keep (plist-get draft :text))
           (notesd-message "notesd: the daemon does not know the version of this draft; it is shown until you delete %s"
                           (plist-get draft :file))))))

(defun notesd--base (note draft)
  "Return NOTE at the version of DRAFT, or nil if the daemon has lost that.
Signal an error if the daemon cannot tell now."
  (pcase-let ((`(,result ,failure)
               (notesd-rpc-ask "note.get" (list :id (plist-get note :id) :at (plist-get draft :version)))))
    (or (plist-get result :note)
        (unless (member (plist-get failure :kind) '("note_not_found" "unknown_base" "revision_gone"))
          (user-error "There is unsent text, but the daemon cannot return the version it is based on: %s"
                      (plist-get failure :message))))))

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
  (notesd-rpc-await-connection)
  (let ((note (or (notesd-get :name name) (notesd--create name))))
    (pop-to-buffer-same-window (notesd--open note))))

(defvar notesd-find-history nil "History of note names.")

(defun notesd-open-id (id)
  "Show the note ID."
  (let ((note (notesd-get :id id)))
    (unless note (user-error "This note does not exist"))
    (pop-to-buffer-same-window (notesd--open note))))

(defun notesd--bookmark ()
  "Return a bookmark of point in this note."
  `(,(notesd-sync-name) ,@(bookmark-make-record-default t)
    (note . ,(notesd-machine-id notesd-sync-machine)) (handler . notesd-bookmark-jump)))

;;;###autoload
(defun notesd-bookmark-jump (bookmark)
  "Go to the note and the place of BOOKMARK."
  (notesd-rpc-await-connection)
  (save-window-excursion (notesd-open-id (bookmark-prop-get bookmark 'note)))
  (let ((buffer (notesd-sync-buffer (bookmark-prop-get bookmark 'note))))
    (bookmark-default-handler
     `("" (buffer . ,buffer) . ,(bookmark-get-bookmark-record bookmark)))))

(defun notesd--revert (&rest _)
  "Read the note again.  Text that the daemon does not have stays."
  (notesd-sync-read-again))

(defun notesd-get (member value)
  "Return the note whose MEMBER, :name or :id, is VALUE; nil if there is none."
  (pcase (notesd-rpc-ask "note.get" (list member value))
    (`(nil ,failure) (unless (equal (plist-get failure :kind) "note_not_found")
                       (user-error "%s" (plist-get failure :message))))
    (`(,result . ,_) (plist-get result :note))))

(defun notesd--create (name)
  "Create an empty note called NAME, and return it with its text."
  (let ((note (plist-get (notesd-rpc-call "note.create" (list :text "" :name name :op (notesd-sync-op))) :note)))
    (append note (list :text ""))))

(defun notesd-rename (name)
  "Rename the note of this buffer to NAME."
  (interactive (list (read-string "New name: " (notesd-machine-name notesd-sync-machine))))
  (notesd-settle)
  (notesd-rpc-call "note.save" (list :id (notesd-machine-id notesd-sync-machine)
                                     :base (notesd-machine-version notesd-sync-machine)
                                     :op (notesd-sync-op)
                                     :name (if (string-empty-p name) :null name)))
  (notesd-sync-read-again))

(defun notesd-set-text (text)
  "Change the text of this buffer's note to TEXT, with the smallest edits."
  (let ((edits (notesd-diff (notesd-buffer-text)
                            (if notesd-sync--dos (notesd-edits-from-dos text) text))))
    (save-excursion
      (save-restriction
        (widen)
        (pcase-dolist (`(,start ,end ,new) (reverse edits))
          (goto-char (1+ start))
          (insert new)
          (delete-region (point) (+ (point) (- end start))))))))

;;; Undo

(defun notesd-undo (&optional arg)
  "Undo some previous changes, as `undo' does, but never only in the region.
Undo in a region takes changes out of order, and could remove text by others.
A numeric ARG serves as a repeat count; any other ARG is ignored."
  (interactive "*P")
  (let ((mark-active nil)) (undo (and (numberp arg) arg))))

(defun notesd-undo-only (&optional arg)
  "Undo like `notesd-undo' with ARG, but do not redo a previous undo."
  (interactive "*P")
  (let ((mark-active nil)) (undo-only (and (numberp arg) arg))))

;;; Saving

(defun notesd--settled-p ()
  "Return whether nothing is under way for this buffer, and all is durable."
  (and (null (notesd-machine-pending notesd-sync-machine)) (null notesd-sync--events)
       (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))))

(defun notesd-settle ()
  "Wait until nothing is under way for this buffer and all of it is durable.
Signal an error if that takes too long.  A command that writes to the note calls
this first, because at most one write may be under way."
  (let ((until (time-add nil notesd-timeout)))
    (notesd-sync--run)
    (while (and (not (notesd--settled-p)) (time-less-p nil until)
                (memq (notesd-machine-phase notesd-sync-machine) '(live deleted)))
      (accept-process-output nil 0.02))
    (unless (notesd--settled-p) (notesd--not-durable))))

(defun notesd--not-durable ()
  "Signal an error saying that this note is not durable, and why."
  (user-error "%s is not durable: %s" (notesd-sync-name)
              (cond ((notesd-machine-problem notesd-sync-machine)
                     (substitute-command-keys (notesd-machine-problem notesd-sync-machine)))
                    ((notesd-rpc-connected-p) "the daemon does not answer")
                    (t "no connection to the daemon"))))

(defun notesd-save (&optional insist)
  "Send what is left, and report when the whole note is durable.
With prefix argument INSIST, bring a deleted note back."
  (interactive "P")
  (unless notesd-sync-machine (user-error "This buffer follows no note"))
  (let ((m notesd-sync-machine))
    (pcase (notesd-machine-phase m)
      ('offline (setq notesd-sync--announce t)
                (notesd-rpc-connect)
                (notesd-message "%s is not durable: no connection; it will be sent after reconnecting"
                                (notesd-sync-name)))
      ((and 'deleted (guard insist))
       (setq notesd-sync--announce t)
       (notesd-sync--tell (lambda (m _ _) (notesd-machine-restore m))))
      ((and 'deleted (guard (notesd-machine-durable-p m (notesd-sync-text))))
       (notesd-message "%s is deleted; %s brings it back" (notesd-sync-name)
                       (substitute-command-keys "C-u \\[notesd-save]")))
      ('stranded (notesd-message "%s is not durable: %s" (notesd-sync-name)
                                 (substitute-command-keys (or (notesd-machine-problem m) "the daemon does not have it"))))
      (_ (setq notesd-sync--announce t)
         ;; Report the problem again if it persists.
         (unless (notesd-machine-pending-write m) (setf (notesd-machine-problem m) nil))
         (notesd-sync--tell (lambda (m _ _) (notesd-machine-retry m)))))))

(defun notesd--write-contents ()
  "Write the buffer, for commands that need to know the outcome.
Wait for the daemon; signal an error if the note is not durable after that."
  (let ((until (time-add nil notesd-timeout)))
    (notesd-save)
    (while (and (not (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text)))
                (time-less-p nil until))
      (accept-process-output nil 0.05))
    (or (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))
        (notesd--not-durable))))

(defun notesd-write-file (file)
  "Write a copy of this buffer's note to FILE.
The buffer goes on following its note."
  (interactive "FWrite a copy of this note to file: ")
  (unless notesd-sync-machine (user-error "This buffer follows no note"))
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
      (null notesd-sync-machine)
      (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))
      (and (yes-or-no-p (format "%s has text that the daemon does not have; discard it? "
                                (notesd-sync-name)))
           (progn (notesd-draft-remove notesd-sync-machine) t))))

(provide 'notesd)
;;; notesd.el ends here
