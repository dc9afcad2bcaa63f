;;; notesd-sync.el --- Buffers that follow notes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The driver of the machines: it tells them what happens to their buffers and on
;; the connection, and does what they say.  Hooks note what is typed, and that
;; there is something to send; what to send is found out later, and what hooks
;; noted is believed only if it leads to the text.

;;; Code:

(require 'notesd-buffer)
(require 'notesd-draft)
(require 'notesd-machine)
(require 'notesd-rpc)
(require 'notesd-trouble)

(defcustom notesd-send-delay 0.005
  "How many seconds after a change it is sent, with what was typed meanwhile."
  :type 'number :group 'notesd)

(defconst notesd-sync-retry-seconds-max 5 "The longest wait before what was refused is sent again.")
(defconst notesd-sync-check-seconds 3
  "After how long without changes is read what the daemon has, and compared.")
(defconst notesd-sync-draft-seconds 1 "After how long text that was not sent is kept on disk.")
(defconst notesd-sync-long-min 50000
  "From how many characters on a note is sent later, by a second for a million.")
(defconst notesd-sync-busy-seconds 0.2 "How often is looked whether a command is still at it.")

(defvar replace-overlay)

(defvar notesd-sync-changed-functions nil
  "Called without arguments in a note's buffer when something about it changed.")

(defvar notesd-sync--buffers (make-hash-table :test #'equal) "Buffers by the id of their note.")
(defvar notesd-sync--watches (make-hash-table) "Buffers by their watch.")

(defvar-local notesd-sync-machine nil "What this buffer and the daemon agree on.")
(defvar-local notesd-sync--dos nil "Whether the note has CR LF for each line end of the buffer.")
(defvar-local notesd-sync--events nil
  "What the machine is to be told: functions, by name if about the connection.")
(defvar-local notesd-sync--running nil "Whether the machine is being told something.")
(defvar-local notesd-sync--timer nil "What sends, or looks again.")
(defvar-local notesd-sync--retry nil "What tries again, or nil.")
(defvar-local notesd-sync--wait 0.1 "How many seconds the next try waits.")
(defvar-local notesd-sync--drafting nil "What writes a draft, or nil.")
(defvar-local notesd-sync--check nil "What compares, or nil.")
(defvar-local notesd-sync--watch nil "The watch on the note, and the last seq: (WATCH . SEQ).")
(defvar-local notesd-sync--announce nil "Whether is told when all of the buffer is durable.")

(defun notesd-sync-buffers ()
  "Return the buffers that follow notes."
  (seq-filter #'buffer-live-p (hash-table-values notesd-sync--buffers)))

(defun notesd-sync-buffer (id)
  "Return the buffer of the note ID, or nil."
  (let ((buffer (gethash id notesd-sync--buffers)))
    (and (buffer-live-p buffer) buffer)))

(defun notesd-sync-text ()
  "Return the text of the buffer as the note has it."
  (let ((text (notesd-buffer-text)))
    (if notesd-sync--dos (notesd-edits-to-dos text) text)))

(defun notesd-sync-name ()
  "Return what this buffer's note is called."
  (or (notesd-machine-name notesd-sync-machine)
      (substring (notesd-machine-id notesd-sync-machine) 0 13)))

(defun notesd-sync-position (offset &optional after)
  "Return where OFFSET of the text agreed on is in the buffer.
It is in front of what was typed there, or behind it where AFTER is non-nil."
  (let* ((text (notesd-sync-text))
         (here (notesd-edits-map offset (notesd-diff (notesd-machine-shadow notesd-sync-machine) text) after))
         (here (max 0 (min here (length text)))))
    (1+ (if notesd-sync--dos (length (notesd-edits-from-dos (substring text 0 here))) here))))

(defun notesd-sync-offset (position)
  "Return the offset in the text agreed on of POSITION in the buffer."
  (let* ((text (notesd-sync-text))
         (before (save-restriction (widen) (buffer-substring-no-properties (point-min) position)))
         (here (length (if notesd-sync--dos (notesd-edits-to-dos before) before))))
    (notesd-edits-map here (notesd-diff text (notesd-machine-shadow notesd-sync-machine)))))

;;; Opening and closing

(defun notesd-sync-op ()
  "Return a name for a write that no other has."
  (format "emacs-%x-%x-%x" (emacs-pid) (truncate (* 1000 (float-time))) (random most-positive-fixnum)))

(defun notesd-sync-start (note &optional draft)
  "Have the current, empty buffer follow NOTE, as `note.get' answers it.
DRAFT is what was typed on it and did not get to the daemon."
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
    ;; Read again once it is watched: it may have changed since it was read.
    (setf (notesd-machine-behind notesd-sync-machine) t)
    (when draft
      (notesd-sync--edit (notesd-diff text (plist-get draft :text)))
      (notesd-draft-take notesd-sync-machine draft))
    (when (notesd-rpc-connected-p)
      (setf (notesd-machine-bytes notesd-sync-machine) (notesd-rpc-bytes-p))
      (notesd-sync--watch)
      (notesd-sync--tell (if draft #'notesd-machine-connected #'ignore)))))

(defun notesd-sync-stop ()
  "Have the current buffer follow its note no more."
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
  "Return whether this is an indirect buffer; then it follows no note itself.
It may have been made with all the variables and hooks of its base."
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
                            (message "notesd: changes of %s are not told: %s"
                                     (notesd-sync-name) (plist-get failure :message))))
                 (notesd-sync-machine
                  (setq notesd-sync--watch (cons (plist-get result :watch) 0))
                  (puthash (plist-get result :watch) buffer notesd-sync--watches)))))))))

;;; What happens

(defun notesd-sync--after-change (beg end length)
  "Note that LENGTH characters have become what is from BEG to END now."
  (cond
   ((notesd-sync-clone-p)
    (with-current-buffer (buffer-base-buffer) (notesd-sync--after-change beg end length)))
   ((and notesd-sync-machine (not notesd-buffer-applying))
    (notesd-buffer-note-typed end)
    (notesd-machine-changed notesd-sync-machine
                            (list (1- beg) (+ beg length -1)
                                  (save-restriction (widen) (buffer-substring-no-properties beg end)))
                            (float-time))
    ;; What is found out about a text takes a while where it is long.
    (notesd-sync--later (+ notesd-send-delay
                           (* 1e-6 (max 0 (- (buffer-size) notesd-sync-long-min))))))))

(defun notesd-sync--after (seconds function)
  "Call FUNCTION in this buffer in SECONDS, if it lives then; return the timer."
  (let ((buffer (current-buffer)))
    (run-with-timer seconds nil
                    (lambda () (when (buffer-live-p buffer) (with-current-buffer buffer (funcall function)))))))

(defun notesd-sync--later (seconds)
  "Look in SECONDS what there is to do, if that is not seen to."
  (unless notesd-sync--timer
    (setq notesd-sync--timer (notesd-sync--after seconds
                                                 (lambda () (setq notesd-sync--timer nil) (notesd-sync--run))))))

(defun notesd-sync--connected ()
  "Go on with all buffers."
  (clrhash notesd-sync--watches)
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (setf (notesd-machine-bytes notesd-sync-machine) (notesd-rpc-bytes-p))
      (notesd-sync--watch)
      (notesd-sync--tell #'notesd-machine-connected))))

(defun notesd-sync--disconnected ()
  "Tell all buffers that the connection is gone."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (setq notesd-sync--watch nil)
      (notesd-sync--tell #'notesd-machine-disconnected))))

(defun notesd-sync--notified (method params)
  "Pass the notification METHOD with PARAMS on to the buffer that watches."
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
  "Read the note again: something else than this buffer has changed it."
  (notesd-sync--tell (lambda (machine _ _) (setf (notesd-machine-behind machine) t) nil)))

(defun notesd-sync--tell (event)
  "Have the machine of the current buffer told EVENT, now or as soon as can be.
EVENT is called with machine, text and time, and returns what is to be done."
  (setq notesd-sync--events (nconc notesd-sync--events (list event)))
  (notesd-sync--run))

(defun notesd-sync--busy-p ()
  "Return whether a command is at the text of this buffer and waits for its user.
Query-replace remembers by numbers where it found what it asks about.  An input
method reads keys that it shows in the text, and has switched off hooks and undo
for that, so that nothing else may be done there."
  (or inhibit-modification-hooks
      (and (bound-and-true-p replace-overlay) (overlayp replace-overlay)
           (eq (overlay-buffer replace-overlay) (current-buffer)))))

(defun notesd-sync--run ()
  "Tell the machine what has happened, and do what it says, then send."
  (cond
   ((or notesd-sync--running (null notesd-sync-machine) (notesd-sync-clone-p)))
   ((notesd-sync--busy-p)
    ;; What others did waits; what is typed does not, unless half of a character is.
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
  "Keep the text on disk if it is not DURABLE in a while, and no more if it is."
  (cond
   (durable
    (when notesd-sync--drafting (cancel-timer (cl-shiftf notesd-sync--drafting nil)))
    (notesd-draft-remove notesd-sync-machine))
   ((not notesd-sync--drafting)
    (setq notesd-sync--drafting (notesd-sync--after notesd-sync-draft-seconds
                                                    (lambda () (setq notesd-sync--drafting nil) (notesd-sync-draft)))))))

(defun notesd-sync-draft ()
  "Keep the text of the buffer on disk if the daemon does not have it."
  (when (and notesd-sync-machine
             (not (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))))
    (condition-case problem
        (notesd-draft-write notesd-sync-machine (notesd-sync-text))
      (error (message "notesd: %s cannot be kept on disk: %s" (notesd-sync-name)
                      ;; What others say may have all of the text in it.
                      (if (memq 'file-error (get (car problem) 'error-conditions))
                          (error-message-string problem)
                        (car problem)))))))

(defun notesd-sync-draft-all ()
  "Keep the texts of all notes on disk that the daemon does not have."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer (notesd-sync-draft))))
(add-hook 'kill-emacs-hook #'notesd-sync-draft-all)

(defun notesd-sync--settle ()
  "Show how things stand."
  (let ((durable (notesd-machine-durable-p notesd-sync-machine (notesd-sync-text))))
    (restore-buffer-modified-p (not durable))
    (notesd-sync--see-to-draft durable)
    (unless (notesd-machine-problem notesd-sync-machine) (setq notesd-sync--wait 0.1))
    (when (notesd-machine-unchecked notesd-sync-machine) (notesd-sync--check-later))
    (when (and notesd-sync--announce durable (eq (notesd-machine-phase notesd-sync-machine) 'live))
      (setq notesd-sync--announce nil)
      (message "%s is durable, as revision %s" (notesd-sync-name)
               (notesd-machine-version notesd-sync-machine))
      (notesd-sync--do (notesd-machine-check notesd-sync-machine)))))

;;; What is done

(defun notesd-sync--do (actions)
  "Do ACTIONS, as machines return them."
  (dolist (action actions)
    (pcase action
      (`(send ,method ,params) (notesd-sync--send method params))
      (`(edit ,edits) (notesd-sync--edit edits))
      (`(tell ,_ ,what) (message "notesd: %s: %s" (notesd-sync-name) (substitute-command-keys what)))
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
  "Send METHOD with PARAMS, and tell the machine of the current buffer the answer."
  (let ((buffer (current-buffer)))
    ;; The text that is on disk would be sent twice if it did not know of this write.
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
  "Make EDITS, which are on the text as the note has it, in the buffer."
  (if (not notesd-sync--dos)
      (notesd-buffer-apply edits)
    (let* ((text (notesd-sync-text)) (after (notesd-edits-apply text edits)))
      (cond
       ((notesd-edits-between-dos-p text edits)
        (notesd-buffer-apply (notesd-edits-shown-from-dos text edits)))
       ((or (notesd-edits-dos-p after) (not (string-search "\n" after)))
        (notesd-buffer-apply (notesd-diff (notesd-buffer-text) (notesd-edits-from-dos after))))
       (t
        (message "notesd: %s has line ends of both kinds now; those with CR show it" (notesd-sync-name))
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
  "Keep TEXT, which cannot be merged, in a buffer of its own."
  (let ((buffer (generate-new-buffer (format "%s<yours>" (notesd-sync-name)))))
    (with-current-buffer buffer
      (insert text)
      (setq buffer-offer-save t))
    (display-buffer buffer)))

(defun notesd-sync--try-again ()
  "Try again in a while what was refused."
  (unless notesd-sync--retry
    (setq notesd-sync--retry
          (notesd-sync--after notesd-sync--wait
                              (lambda ()
                                (setq notesd-sync--retry nil)
                                (notesd-sync--tell (lambda (machine _ _) (notesd-machine-retry machine)))))
          notesd-sync--wait (min notesd-sync-retry-seconds-max (* 2 notesd-sync--wait)))))

(defun notesd-sync--check-later ()
  "Compare with what the daemon has once nothing has changed for a while."
  (when notesd-sync--check (cancel-timer notesd-sync--check))
  (setq notesd-sync--check
        (notesd-sync--after notesd-sync-check-seconds
                            (lambda ()
                              (setq notesd-sync--check nil)
                              (notesd-sync--tell (lambda (machine _ _) (notesd-machine-check machine)))))))

(provide 'notesd-sync)
;;; notesd-sync.el ends here
