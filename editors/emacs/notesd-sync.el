;;; notesd-sync.el --- Buffers that follow notes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Connects the machines with their buffers and with the connection: passes
;; events to the machines, and carries out their actions.  Hooks record what is
;; typed, and that there is something to send.  What to send is computed later,
;; and the record of the hooks is used only if it leads to the text.

;;; Code:

(require 'notesd-buffer)
(require 'notesd-draft)
(require 'notesd-machine)
(require 'notesd-rpc)
(require 'notesd-trouble)

(defcustom notesd-send-delay 0.005
  "Number of seconds to collect changes before they are sent."
  :type 'number :group 'notesd)

(defconst notesd-sync-retry-seconds-max 5 "Maximum number of seconds between retries.")
(defconst notesd-sync-check-seconds 3
  "Seconds without changes after which the text is compared with the daemon's.")
(defconst notesd-sync-draft-seconds 1 "Seconds after which unsent text is written to disk.")
(defconst notesd-sync-long-min 50000
  "Number of characters above which sending waits, 1 s per million characters.")
(defconst notesd-sync-busy-seconds 0.2 "Seconds between checks whether a command is still busy.")

(defvar replace-overlay)

(defvar notesd-sync-changed-functions nil
  "Functions called without arguments in a note's buffer when it changed state.")

(defvar notesd-sync--buffers (make-hash-table :test #'equal) "Buffers by the id of their note.")
(defvar notesd-sync--watches (make-hash-table) "Buffers by their watch.")

(defvar-local notesd-sync-machine nil "The machine of this buffer, or nil.")
(defvar-local notesd-sync--dos nil "Whether the note has CR LF for each line end of the buffer.")
(defvar-local notesd-sync--events nil
  "Events for the machine: functions, symbols for those about the connection.")
(defvar-local notesd-sync--running nil "Whether the machine is handling an event.")
(defvar-local notesd-sync--timer nil "Timer for the next run, or nil.")
(defvar-local notesd-sync--retry nil "Timer for the next retry, or nil.")
(defvar-local notesd-sync--wait 0.1 "Number of seconds before the next retry.")
(defvar-local notesd-sync--drafting nil "Timer for writing a draft, or nil.")
(defvar-local notesd-sync--check nil "Timer for the next check, or nil.")
(defvar-local notesd-sync--watch nil "The watch on the note, and the last seq: (WATCH . SEQ).")
(defvar-local notesd-sync--announce nil "Whether to report when the whole buffer is durable.")

(defun notesd-sync-buffers ()
  "Return the buffers that follow notes."
  (seq-filter #'buffer-live-p (hash-table-values notesd-sync--buffers)))

(defun notesd-sync-buffer (id)
  "Return the buffer of the note ID, or nil."
  (let ((buffer (gethash id notesd-sync--buffers)))
    (and (buffer-live-p buffer) buffer)))

(defun notesd-sync-text ()
  "Return the text of the buffer with the line ends of the note."
  (let ((text (notesd-buffer-text)))
    (if notesd-sync--dos (notesd-edits-to-dos text) text)))

(defun notesd-sync-name ()
  "Return the name of this buffer's note, or the start of its id."
  (or (notesd-machine-name notesd-sync-machine)
      (substring (notesd-machine-id notesd-sync-machine) 0 13)))

(defun notesd-sync-position (offset &optional after)
  "Return the buffer position of OFFSET in the shadow.
It is before text typed there, or after it if AFTER is non-nil."
  (let* ((text (notesd-sync-text))
         (here (notesd-edits-map offset (notesd-diff (notesd-machine-shadow notesd-sync-machine) text) after))
         (here (max 0 (min here (length text)))))
    (1+ (if notesd-sync--dos (length (notesd-edits-from-dos (substring text 0 here))) here))))

(defun notesd-sync-offset (position)
  "Return the offset in the shadow of POSITION in the buffer."
  (let* ((text (notesd-sync-text))
         (before (save-restriction (widen) (buffer-substring-no-properties (point-min) position)))
         (here (length (if notesd-sync--dos (notesd-edits-to-dos before) before))))
    (notesd-edits-map here (notesd-diff text (notesd-machine-shadow notesd-sync-machine)))))

;;; Opening and closing

(defun notesd-sync-op ()
  "Return a unique op for a write."
  (format "emacs-%x-%x-%x" (emacs-pid) (truncate (* 1000 (float-time))) (random most-positive-fixnum)))

(defun notesd-sync-start (note &optional draft)
  "Make the current, empty buffer follow NOTE, a result of `note.get'.
DRAFT, if non-nil, has text typed on it that the daemon does not have."
  (let ((text (plist-get note :text)))
    (setq notesd-sync-machine (notesd-machine-make note #'notesd-sync-op)
          notesd-sync--dos (notesd-edits-dos-p text)
          notesd-sync--events nil notesd-sync--watch nil)
    (setf (notesd-machine-dos notesd-sync-machine) notesd-sync--dos)
    (puthash (notesd-machine-id notesd-sync-machine) (current-buffer) notesd-sync--buffers)
    (setq buffer-file-coding-system (if notesd-sync--dos 'utf-8-dos 'utf-8-unix))
    (let ((buffer-undo-list t) (notesd-buffer-applying t))
      (insert (if notesd-sync--dos (notesd-edits-from-dos text) text))
      (goto-char (point-min)))
    (setq buffer-undo-list nil)
    (set-buffer-modified-p nil)
    (add-hook 'after-change-functions #'notesd-sync--after-change nil t)
    (add-hook 'kill-buffer-hook #'notesd-sync-stop nil t)
    (add-hook 'notesd-rpc-connected-functions #'notesd-sync--connected)
    (add-hook 'notesd-rpc-disconnected-functions #'notesd-sync--disconnected)
    (add-hook 'notesd-rpc-notification-functions #'notesd-sync--notified)
    ;; Read it again once it is watched: it may have changed since it was read.
    (setf (notesd-machine-behind notesd-sync-machine) t)
    (when draft
      (notesd-sync--edit (notesd-diff text (plist-get draft :text)))
      (notesd-draft-take notesd-sync-machine draft))
    (when (notesd-rpc-connected-p)
      (setf (notesd-machine-bytes notesd-sync-machine) (notesd-rpc-bytes-p))
      (notesd-sync--watch)
      (notesd-sync--tell (if draft #'notesd-machine-connected #'ignore)))))

(defun notesd-sync-stop ()
  "Make the current buffer stop following its note."
  (when (and notesd-sync-machine (not (notesd-sync-clone-p)))
    (remhash (notesd-machine-id notesd-sync-machine) notesd-sync--buffers)
    (dolist (timer (list notesd-sync--timer notesd-sync--retry notesd-sync--check
                         notesd-sync--drafting)) (when timer (cancel-timer timer)))
    (when notesd-sync--watch
      (remhash (car notesd-sync--watch) notesd-sync--watches)
      (notesd-rpc-send "notes.unwatch" (list :watch (car notesd-sync--watch))))
    (remove-hook 'after-change-functions #'notesd-sync--after-change t)
    (remove-hook 'kill-buffer-hook #'notesd-sync-stop t)
    (setq notesd-sync-machine nil notesd-sync--watch nil)))

(defun notesd-sync-clone-p ()
  "Return whether this is an indirect buffer, which follows no note itself.
Remove variables and hooks that a clone may have copied from its base."
  (when (buffer-base-buffer)
    (when notesd-sync-machine
      (dolist (overlay (save-restriction (widen) (overlays-in (point-min) (point-max))))
        (when (or (overlay-get overlay 'notesd-conflict) (overlay-get overlay 'notesd-presence)) (delete-overlay overlay)))
      (pcase-dolist (`(,variable . ,_) (seq-filter #'consp (buffer-local-variables)))
        (when (string-prefix-p "notesd-" (symbol-name variable)) (kill-local-variable variable)))
      (add-hook 'pre-command-hook #'notesd-buffer-settle-base nil t)
      (add-hook 'after-change-functions #'notesd-sync--after-change nil t))
    t))
(add-hook 'clone-indirect-buffer-hook #'notesd-sync-clone-p)

(defun notesd-sync--watch ()
  "Watch the note of the current buffer."
  (let ((buffer (current-buffer)))
    (setq notesd-sync--watch nil)
    (notesd-rpc-send
     "notes.watch" (list :filter (list :ids (vector (notesd-machine-id notesd-sync-machine)))
                         :include "edits" :echo :false :snapshot :false)
     (lambda (result failure)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (cond (failure (unless (equal (plist-get failure :kind) "disconnected")
                            (notesd-message "notesd: changes of %s by others will not appear: %s"
                                            (notesd-sync-name) (plist-get failure :message))))
                 (notesd-sync-machine
                  (setq notesd-sync--watch (cons (plist-get result :watch) 0))
                  (puthash (plist-get result :watch) buffer notesd-sync--watches)))))))))

;;; Events

(defun notesd-sync--after-change (beg end length)
  "Record that LENGTH characters were replaced by the text from BEG to END."
  (cond
   ((notesd-sync-clone-p)
    (with-current-buffer (buffer-base-buffer) (notesd-sync--after-change beg end length)))
   ((and notesd-sync-machine (not notesd-buffer-applying))
    (notesd-buffer-note-typed end)
    (notesd-machine-changed notesd-sync-machine
                            (list (1- beg) (+ beg length -1)
                                  (save-restriction (widen) (buffer-substring-no-properties beg end)))
                            (float-time))
    ;; Examining a long text takes a while.
    (notesd-sync--later (+ notesd-send-delay
                           (* 1e-6 (max 0 (- (buffer-size) notesd-sync-long-min))))))))

(defun notesd-sync--after (seconds function)
  "Call FUNCTION in this buffer in SECONDS, if it is live; return the timer."
  (let ((buffer (current-buffer)))
    (run-with-timer seconds nil
                    (lambda () (when (buffer-live-p buffer) (with-current-buffer buffer (funcall function)))))))

(defun notesd-sync--later (seconds)
  "Schedule a run in SECONDS, unless one is scheduled."
  (unless notesd-sync--timer
    (setq notesd-sync--timer (notesd-sync--after seconds
                                                 (lambda () (setq notesd-sync--timer nil) (notesd-sync--run))))))

(defun notesd-sync--connected ()
  "Notify all machines of a new connection."
  (clrhash notesd-sync--watches)
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (setf (notesd-machine-bytes notesd-sync-machine) (notesd-rpc-bytes-p))
      (notesd-sync--watch)
      (notesd-sync--tell #'notesd-machine-connected))))

(defun notesd-sync--disconnected ()
  "Notify all machines of the loss of the connection."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (setq notesd-sync--watch nil)
      (notesd-sync--tell #'notesd-machine-disconnected))))

(defun notesd-sync--notified (method params)
  "Pass the notification METHOD with PARAMS to the buffer that watches."
  (let ((buffer (gethash (plist-get params :watch) notesd-sync--watches)))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (let ((seq (plist-get params :seq)) (gap nil))
          (when seq
            (setq gap (/= seq (1+ (cdr notesd-sync--watch))))
            (setcdr notesd-sync--watch seq))
          (cond
           ((or gap (equal method "watch.reset")) (notesd-sync-read-again))
           ((equal method "note.changed")
            (notesd-sync--tell (lambda (machine text now)
                                 (notesd-machine-line machine (plist-get params :note) text now))))))))))

(defun notesd-sync-read-again ()
  "Read the note again, because something outside this buffer changed it."
  (notesd-sync--tell (lambda (machine _ _) (setf (notesd-machine-behind machine) t) nil)))

(defun notesd-sync--tell (event)
  "Pass EVENT to the machine of the current buffer, now or as soon as possible.
EVENT is called with machine, text and time, and returns actions."
  (setq notesd-sync--events (nconc notesd-sync--events (list event)))
  (notesd-sync--run))

(defun notesd-sync--busy-p ()
  "Return whether a command is using the text of this buffer and waits for input.
Commands such as `query-replace', and `string-rectangle' in the minibuffer, keep
positions as numbers.  An input method edits the text with hooks and undo off."
  (or inhibit-modification-hooks
      (and (window-minibuffer-p) (eq (window-buffer (minibuffer-selected-window)) (current-buffer)))
      (and (bound-and-true-p replace-overlay) (overlayp replace-overlay)
           (eq (overlay-buffer replace-overlay) (current-buffer)))))

(defun notesd-sync--run ()
  "Pass events to the machine, carry out its actions, and send what is due."
  (cond
   ((or notesd-sync--running (null notesd-sync-machine) (notesd-sync-clone-p)))
   ((notesd-sync--busy-p)
    ;; Changes of others wait.  Typed text does not, unless a character is half typed.
    (unless (or inhibit-modification-hooks (seq-some #'symbolp notesd-sync--events))
      (let ((inhibit-quit t) (notesd-sync--running t))
        (notesd-sync--do (notesd-machine-flush notesd-sync-machine (notesd-sync-text) (float-time)))))
    (unless (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text)) (notesd-sync--see-to-draft nil))
    (notesd-sync--later notesd-sync-busy-seconds))
   (t
    (let ((inhibit-quit t) (notesd-sync--running t))
      (while notesd-sync--events
        (notesd-sync--do (funcall (pop notesd-sync--events) notesd-sync-machine
                                  (notesd-sync-text) (float-time))))
      (notesd-sync--do (notesd-machine-flush notesd-sync-machine (notesd-sync-text) (float-time)))
      (notesd-sync--settle)))))

(defun notesd-sync--see-to-draft (durable)
  "Schedule a draft of the text; if it is DURABLE, remove the draft."
  (cond
   (durable
    (when notesd-sync--drafting (cancel-timer (cl-shiftf notesd-sync--drafting nil)))
    (notesd-draft-remove notesd-sync-machine))
   ((not notesd-sync--drafting)
    (setq notesd-sync--drafting (notesd-sync--after notesd-sync-draft-seconds
                                                    (lambda () (setq notesd-sync--drafting nil) (notesd-sync-draft)))))))

(defun notesd-sync-draft ()
  "Write a draft of the buffer if the daemon does not have its text."
  (when (and notesd-sync-machine
             (not (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))))
    (condition-case problem
        (notesd-draft-write notesd-sync-machine (notesd-sync-text))
      (error (notesd-message "notesd: cannot write a draft of %s: %s" (notesd-sync-name)
                             ;; The messages of other errors may contain the whole text.
                             (if (memq 'file-error (get (car problem) 'error-conditions))
                                 (error-message-string problem)
                               (car problem)))))))

(defun notesd-sync-draft-all ()
  "Write drafts of all notes whose text the daemon does not have."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer (notesd-sync-draft))))
(add-hook 'kill-emacs-hook #'notesd-sync-draft-all)

(defun notesd-sync--settle ()
  "Update what the user sees of the state of the buffer."
  (let ((durable (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))))
    (restore-buffer-modified-p (not durable))
    (notesd-sync--see-to-draft durable)
    (unless (notesd-machine-problem notesd-sync-machine) (setq notesd-sync--wait 0.1))
    (when (notesd-machine-unchecked notesd-sync-machine) (notesd-sync--check-later))
    (when (and notesd-sync--announce durable (eq (notesd-machine-phase notesd-sync-machine) 'live))
      (setq notesd-sync--announce nil)
      (notesd-message "%s is saved durably" (notesd-sync-name))
      (notesd-sync--do (notesd-machine-check notesd-sync-machine)))))

;;; Actions

(defun notesd-sync--do (actions)
  "Carry out ACTIONS, as returned by a machine."
  (dolist (action actions)
    (pcase action
      (`(send ,method ,params) (notesd-sync--send method params))
      (`(edit ,edits) (notesd-sync--edit edits))
      (`(tell ,_ ,what) (notesd-message "notesd: %s: %s" (notesd-sync-name) (substitute-command-keys what)))
      (`(both ,text) (notesd-sync-keep text))
      ('(wait) (notesd-sync--try-again))
      ('(changed) (notesd-sync--changed)))))

(defun notesd-sync--changed ()
  "Show the name and the state of the note."
  (when (notesd-machine-name notesd-sync-machine)
    (let ((name (format "%s<note>" (notesd-machine-name notesd-sync-machine))))
      (unless (string-prefix-p name (buffer-name)) (rename-buffer name t))))
  (run-hooks 'notesd-sync-changed-functions)
  (force-mode-line-update))

(defun notesd-sync--send (method params)
  "Send METHOD with PARAMS, and pass the response to this buffer's machine."
  (let ((buffer (current-buffer)))
    ;; An existing draft must record this write, or its text would be sent twice.
    (when (and notesd-draft--written (notesd-machine-pending-write notesd-sync-machine)) (notesd-sync-draft))
    (notesd-rpc-send
     method params
     (lambda (result failure)
       (when (and (buffer-live-p buffer) (not (equal (plist-get failure :kind) "disconnected")))
         (with-current-buffer buffer
           (when notesd-sync-machine
             (notesd-sync--tell
              (if failure
                  (lambda (machine text _) (notesd-machine-failed machine failure text))
                (lambda (machine text now) (notesd-machine-answer machine result text now)))))))))))

(defun notesd-sync--edit (edits)
  "Apply EDITS, which refer to the text of the note, to the buffer."
  (if (not notesd-sync--dos)
      (notesd-buffer-apply edits)
    (let* ((text (notesd-sync-text)) (after (notesd-edits-apply text edits)))
      (cond
       ((notesd-edits-between-dos-p text edits)
        (notesd-buffer-apply (notesd-edits-shown-from-dos text edits)))
       ((or (notesd-edits-dos-p after) (not (string-search "\n" after)))
        (notesd-buffer-apply (notesd-diff (notesd-buffer-text) (notesd-edits-from-dos after))))
       (t
        (notesd-message "notesd: %s now has mixed line ends; CRs are shown" (notesd-sync-name))
        (setq notesd-sync--dos nil buffer-file-coding-system 'utf-8-unix)
        (setf (notesd-machine-dos notesd-sync-machine) nil (notesd-machine-typed notesd-sync-machine) t)
        (notesd-buffer-apply (seq-map (lambda (end) (list (1- end) (1- end) "\r"))
                                      (notesd-sync--line-ends)))
        (notesd-buffer-apply edits))))))

(defun notesd-sync--line-ends ()
  "Return the positions of the line ends of the buffer."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (point-min))
      (let ((ends nil))
        (while (search-forward "\n" nil t) (push (1- (point)) ends))
        (nreverse ends)))))

(defun notesd-sync-keep (text)
  "Keep TEXT, which cannot be merged, in a separate buffer."
  (let ((buffer (generate-new-buffer (format "%s<yours>" (notesd-sync-name)))))
    (with-current-buffer buffer
      (insert text)
      (setq buffer-offer-save t))
    (display-buffer buffer)))

(defun notesd-sync--try-again ()
  "Schedule a retry after an error."
  (unless notesd-sync--retry
    (setq notesd-sync--retry
          (notesd-sync--after notesd-sync--wait
                              (lambda ()
                                (setq notesd-sync--retry nil)
                                (notesd-sync--tell (lambda (machine _ _) (notesd-machine-retry machine)))))
          notesd-sync--wait (min notesd-sync-retry-seconds-max (* 2 notesd-sync--wait)))))

(defun notesd-sync--check-later ()
  "Schedule a comparison with the daemon's text after a while without changes."
  (when notesd-sync--check (cancel-timer notesd-sync--check))
  (setq notesd-sync--check
        (notesd-sync--after notesd-sync-check-seconds
                            (lambda ()
                              (setq notesd-sync--check nil)
                              (notesd-sync--tell (lambda (machine _ _) (notesd-machine-check machine)))))))

(provide 'notesd-sync)
;;; notesd-sync.el ends here
