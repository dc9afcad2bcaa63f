;;; notesd-sync.el --- Buffers that follow notes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Tells notesctl what is typed in the buffers of notes, and applies the edits
;; that it asks for, as docs/attach.md describes.  Hooks record what is typed;
;; a timer sends it, and sends the whole text if the record does not lead to it.

;;; Code:

(require 'notesd-buffer)
(require 'notesd-rpc)

(defcustom notesd-send-delay 0.005
  "Number of seconds to collect changes before they are sent."
  :type 'number :group 'notesd)

(defconst notesd-sync-long-min 50000
  "Number of characters above which sending waits, 1 s per million characters.")
(defconst notesd-sync-busy-seconds 0.05 "Seconds between checks whether a command is still busy.")
(defconst notesd-sync-changes-max 200 "Maximum number of changes to record.")

(cl-defstruct (notesd-note (:constructor notesd-note--make))
  "What a buffer shares with notesctl.
NUMBER names the buffer there, and TOLD is the text that notesctl has of it.
SHOWN and SAVED are versions: of the last edit, and of the last text on disk."
  number id name told shown (saved "") writer
  ;; The number of the last change; that of the last one on disk, or -1 if that is not known.
  (n 0) (saved-n 0)
  ;; The number of the edit that undid or redid last, and that of the last edit on disk.
  (step-k 0) (saved-k 0)
  ;; Whether notesctl has the buffer open; whether it is asked to open it; whether it should have.
  (open nil) (opening nil) (wanted t)
  ;; The time at which the oldest text was typed that is not on disk, or nil.
  (since nil)
  ;; Whether the changes up to TOLD are being sent: messages may arrive meanwhile.
  (sending nil)
  ;; What was typed and not sent, newest first: (START END TEXT BEGINS-STEP BEFORE); t if unknown.
  (changes nil)
  ;; The user who deleted the note, or nil; the open conflicts; others in the note.
  (deleted nil) (conflicts nil) (people nil)
  ;; Whether each line of the note ends with CR LF.
  (dos nil)
  ;; Why the text is not on disk, or not all of it; whether the daemon refused it.
  (problem nil) (refused nil)
  ;; Whether an edit waits for a command to end; the number of faults since the last save.
  (busy nil) (faults 0)
  ;; The number of steps that can be redone, and how many of them `undo' redoes.
  (undone 0) (redoing 0))

(defvar notesd-sync-changed-functions nil
  "Functions called without arguments in a note's buffer when it changed state.")
(defvar notesd-sync-people-functions nil
  "Functions called without arguments in a note's buffer when others moved.")
(defvar notesd-sync-opened-functions nil
  "Functions called without arguments in a note's buffer that notesctl opened.")

(defvar notesd-sync--buffers (make-hash-table :test #'equal) "Buffers by the id of their note.")
(defvar notesd-sync--numbers (make-hash-table) "Buffers by the number of their note.")
(defvar notesd-sync--number 0 "The last number.")

(defvar-local notesd-sync-note nil "What this buffer shares with notesctl, or nil.")
(defvar-local notesd-sync--timer nil "Timer for sending, or nil.")
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
    (if (notesd-note-dos notesd-sync-note) (string-replace "\n" "\r\n" text) text)))

(defun notesd-sync-name (&optional note)
  "Return the name of NOTE, or of this buffer's note, or the start of its id."
  (let ((note (or note notesd-sync-note)))
    (or (notesd-note-name note) (substring (notesd-note-id note) 0 13))))

(defun notesd-sync-number ()
  "Return a new number for a note in notesctl."
  (cl-incf notesd-sync--number))

(defun notesd-sync--unsendable (text)
  "Return the offset of the first character of TEXT that no note can contain.
These are NUL, surrogates, and bytes that are not characters.  Return nil if
there is none."
  (string-match-p "[^\x01-\ud7ff\ue000-\U0010ffff]" text))

(defun notesd-sync--sendable (text)
  "Return TEXT with U+FFFD in place of each character that no note can contain."
  (if (notesd-sync--unsendable text)
      (replace-regexp-in-string "[^\x01-\ud7ff\ue000-\U0010ffff]" "\ufffd" text t t)
    text))

(defun notesd-sync-durable-p ()
  "Return whether all text of the buffer is on the daemon's disk."
  (and (null (notesd-note-since notesd-sync-note))
       (equal (notesd-sync--sendable (notesd-buffer-text)) (notesd-note-told notesd-sync-note))))

(defun notesd-sync--all-saved-p (note)
  "Return whether all changes and steps of NOTE that notesctl has are on disk."
  (and (eql (notesd-note-saved-n note) (notesd-note-n note)) (>= (notesd-note-saved-k note) (notesd-note-step-k note))))

(defun notesd-sync-phase ()
  "Return the state of the note.
It is `offline', `stranded', `deleted', `refused' or `live'."
  (let ((note notesd-sync-note))
    (cond ((not (notesd-note-wanted note)) 'stranded)
          ((not (and (notesd-rpc-connected-p) (notesd-note-open note))) 'offline)
          ((notesd-note-refused note) 'refused)
          ((notesd-note-deleted note) 'deleted)
          (t 'live))))

;;; Opening and closing

(defun notesd-sync-start (note text)
  "Make the current, empty buffer follow NOTE, which has TEXT."
  (setq notesd-sync-note note
        buffer-file-coding-system (if (notesd-note-dos note) 'utf-8-dos 'utf-8-unix))
  (puthash (notesd-note-id note) (current-buffer) notesd-sync--buffers)
  (puthash (notesd-note-number note) (current-buffer) notesd-sync--numbers)
  (let ((buffer-undo-list t) (notesd-buffer-applying t))
    (insert text)
    (goto-char (point-min)))
  (setq buffer-undo-list nil)
  (set-buffer-modified-p nil)
  (add-hook 'after-change-functions #'notesd-sync--after-change nil t)
  (add-hook 'kill-buffer-hook #'notesd-sync-stop nil t))

(defun notesd-sync-stop ()
  "Make the current buffer stop following its note."
  (when (and notesd-sync-note (not (notesd-sync-clone-p)))
    (notesd-sync-flush)
    (let ((note notesd-sync-note))
      (remhash (notesd-note-id note) notesd-sync--buffers)
      (remhash (notesd-note-number note) notesd-sync--numbers)
      (when notesd-sync--timer (cancel-timer notesd-sync--timer))
      (when (notesd-note-open note)
        (notesd-rpc-send "buffer.close" (list :buffer (notesd-note-number note)) #'ignore))
      (remove-hook 'after-change-functions #'notesd-sync--after-change t)
      (remove-hook 'kill-buffer-hook #'notesd-sync-stop t)
      (setq notesd-sync-note nil notesd-sync--timer nil))))

(defun notesd-sync-clone-p ()
  "Return whether this is an indirect buffer, which follows no note itself.
Remove variables and hooks that a clone may have copied from its base."
  (when (buffer-base-buffer)
    (when notesd-sync-note
      (dolist (overlay (save-restriction (widen) (overlays-in (point-min) (point-max))))
        (when (or (overlay-get overlay 'notesd-conflict) (overlay-get overlay 'notesd-presence)) (delete-overlay overlay)))
      (pcase-dolist (`(,variable . ,_) (seq-filter #'consp (buffer-local-variables)))
        (when (string-prefix-p "notesd-" (symbol-name variable)) (kill-local-variable variable)))
      (add-hook 'after-change-functions #'notesd-sync--after-change nil t))
    t))
(add-hook 'clone-indirect-buffer-hook #'notesd-sync-clone-p)

(defun notesd-sync-keep (text)
  "Keep TEXT, which cannot be merged, in a separate buffer."
  (let ((buffer (generate-new-buffer (format "%s<yours>" (notesd-sync-name)))))
    (with-current-buffer buffer
      (insert text)
      (setq buffer-offer-save t))
    (display-buffer buffer)))

;;; What the user types

(defun notesd-sync--after-change (beg end length)
  "Record that LENGTH characters were replaced by the text from BEG to END."
  (cond
   ((notesd-sync-clone-p)
    (with-current-buffer (buffer-base-buffer) (notesd-sync--after-change beg end length)))
   ((and notesd-sync-note (not notesd-buffer-applying))
    (let* ((note notesd-sync-note) (begins (notesd-buffer-step-begins-p)) (before (and begins (notesd-buffer-place-before))))
      (notesd-buffer-note-typed end)
      (setf (notesd-note-since note) (or (notesd-note-since note) (float-time))
            (notesd-note-undone note) 0 (notesd-note-redoing note) 0)
      (cond ((eq (notesd-note-changes note) t))
            ((nthcdr notesd-sync-changes-max (notesd-note-changes note)) (setf (notesd-note-changes note) t))
            (t (push (list (1- beg) (+ beg length -1)
                           (notesd-sync--sendable (save-restriction (widen) (buffer-substring-no-properties beg end)))
                           begins (and before (1- before)))
                     (notesd-note-changes note))))
      ;; Examining a long text takes a while.
      (notesd-sync--later (+ notesd-send-delay (* 1e-6 (max 0 (- (buffer-size) notesd-sync-long-min)))))))))

(defun notesd-sync--after (seconds function)
  "Call FUNCTION in this buffer in SECONDS, if it is live; return the timer."
  (let ((buffer (current-buffer)))
    (run-with-timer seconds nil
                    (lambda () (when (buffer-live-p buffer) (with-current-buffer buffer (funcall function)))))))

(defun notesd-sync--later (seconds)
  "Send what was typed in SECONDS, unless that is planned."
  (unless notesd-sync--timer
    (setq notesd-sync--timer
          (notesd-sync--after seconds (lambda () (setq notesd-sync--timer nil) (notesd-sync--run))))))

(defun notesd-sync--run ()
  "Send what was typed, once no input method shows half a character."
  (notesd-sync-flush)
  (when (and notesd-sync-note inhibit-modification-hooks (notesd-note-since notesd-sync-note))
    (notesd-sync--later notesd-sync-busy-seconds)))

(defun notesd-sync-flush ()
  "Send what was typed in this buffer.
Send nothing while an input method shows half a character: it edits the text
with hooks off."
  (when (and notesd-sync-note (not inhibit-modification-hooks) (not (notesd-note-sending notesd-sync-note)))
    (let* ((note notesd-sync-note) (told (notesd-note-told note)) (shown (notesd-buffer-text))
           (text (notesd-sync--sendable shown)) (changes (cl-shiftf (notesd-note-changes note) nil)))
      (notesd-sync--examine shown)
      (cond
       ((not (equal text told))
        (setf (notesd-note-since note) (or (notesd-note-since note) (float-time)))
        (when (notesd-note-open note)
          (setf (notesd-note-told note) text)
          (setf (notesd-note-sending note) t)
          (unwind-protect (mapc #'notesd-sync--send-change (notesd-sync--changes told text changes))
            (setf (notesd-note-sending note) nil))))
       ((notesd-sync--all-saved-p note) (setf (notesd-note-since note) nil)))
      (notesd-sync--settle))))

(defun notesd-sync--send-change (change)
  "Send CHANGE, (LENGTH JOINS BEFORE MEMBER VALUE)."
  (pcase-let ((`(,length ,joins ,before ,member ,value) change) (note notesd-sync-note))
    (notesd-rpc-send "buffer.change" (append (list :buffer (notesd-note-number note) :n (cl-incf (notesd-note-n note))
                                                   :length length :joins (if joins t :false) member value)
                                             (and before (list :before before))))))

(defun notesd-sync--changes (told text changes)
  "Return the changes that make TEXT of TOLD, according to CHANGES if they do.
CHANGES are newest first.  Those of one step of undo become one change."
  (or (and (consp changes)
           (condition-case nil
               (let ((steps nil) (result nil) (now told))
                 (dolist (change changes)
                   (push change (car (or steps (push nil steps))))
                   (when (and (nth 3 change) (not (eq change (car (last changes))))) (push nil steps)))
                 (dolist (step steps)
                   (pcase-let ((`(,after . ,edit) (notesd-sync--step now step)) (before (nth 4 (car step))))
                     (push (append (list (length after) (not (nth 3 (car step))) (and before (<= 0 before (length now)) before))
                                   (if edit (list :edits (vector edit)) (list :text after)))
                           result)
                     (setq now after)))
                 (and (equal now text) (nreverse result)))
             (args-out-of-range nil)))
      (list (list (length text) nil nil :text text))))

(defun notesd-sync--step (text changes)
  "Return (TEXT . EDIT): TEXT after CHANGES, oldest first, and the edit they make.
EDIT is nil if they are not in one place."
  (let ((low nil) (high nil) (growth 0) (one t))
    (pcase-dolist (`(,start ,end ,new . ,_) changes)
      (setq text (concat (substring text 0 start) new (substring text end))
            one (and one (or (null low) (and (<= start high) (<= low end))))
            growth (+ growth (length new) (- start end))
            low (min start (or low start))
            high (+ (max end (or high end)) (length new) (- start end))))
    (cons text (and one (vector low (- high growth) (substring text low high))))))

;;; What the user sees of the state

(defun notesd-sync--examine (text)
  "Report if TEXT has a character that no note can contain."
  (let ((at (notesd-sync--unsendable text)))
    (cond (at (notesd-sync--trouble
               (format "No note can contain character %d, on line %d; others see U+FFFD in its place"
                       (1+ at) (1+ (cl-count ?\n text :end at)))))
          ((not (or (notesd-note-refused notesd-sync-note) (not (notesd-note-wanted notesd-sync-note))))
           (setf (notesd-note-problem notesd-sync-note) nil)))))

(defun notesd-sync--trouble (problem)
  "Report PROBLEM, once."
  (unless (equal problem (notesd-note-problem notesd-sync-note))
    (setf (notesd-note-problem notesd-sync-note) problem)
    (notesd-sync--tell problem)))

(defun notesd-sync--tell (what)
  "Tell the user WHAT about this note."
  (notesd-message "notesd: %s: %s" (notesd-sync-name) (substitute-command-keys what)))

(defun notesd-sync--settle ()
  "Update what the user sees of the state of the buffer."
  (let ((durable (notesd-sync-durable-p)))
    (restore-buffer-modified-p (not durable))
    (when (and durable notesd-sync--announce (not (notesd-note-deleted notesd-sync-note)))
      (setq notesd-sync--announce nil)
      (notesd-message "%s is saved durably" (notesd-sync-name)))
    (force-mode-line-update)))

(defun notesd-sync--changed ()
  "Show the name and the state of the note."
  (when (notesd-note-name notesd-sync-note)
    (let ((name (format "%s<note>" (notesd-note-name notesd-sync-note))))
      (unless (string-prefix-p name (buffer-name)) (rename-buffer name t))))
  (run-hooks 'notesd-sync-changed-functions)
  (force-mode-line-update))

(defun notesd-sync-resumption ()
  "Return what notesctl needs to go on with the text of this buffer."
  (let* ((note notesd-sync-note) (since (notesd-note-since note)))
    (list :versions (string-trim (concat (notesd-note-shown note) " " (notesd-note-saved note)))
          :writer (notesd-note-writer note) :text (notesd-note-told note)
          :age (if since (max 0 (truncate (- (float-time) since))) 0))))

(provide 'notesd-sync)
;;; notesd-sync.el ends here
