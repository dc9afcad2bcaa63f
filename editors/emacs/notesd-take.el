;;; notesd-take.el --- What notesctl asks of the buffers of notes -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Handles the messages of notesctl: edits by others, which wait while a command
;; keeps positions, and the state of notes.  If notesctl has ended, opens the
;; notes again.  Undo, saving and other requests wait for their responses here.

;;; Code:

(require 'notesd-sync)

(defconst notesd-take-faults-max 3 "Maximum number of faults in a row.")

(defvar replace-overlay)
(defvar completion-in-region--data)
(defvar notesd-take--waiting nil "Whether a command waits for edits, and keeps no positions.")

;;; Starting again

(defun notesd-take--connected ()
  "Open all notes again after notesctl has started."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (notesd-take--again))))
(add-hook 'notesd-rpc-connected-functions #'notesd-take--connected)

(defun notesd-take--disconnected ()
  "Record that notesctl has ended."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (setf (notesd-note-open notesd-sync-note) nil)
      (force-mode-line-update))))
(add-hook 'notesd-rpc-disconnected-functions #'notesd-take--disconnected)

(defun notesd-take--resume ()
  "Open the note of this buffer again in notesctl, which has lost it."
  (let* ((note notesd-sync-note) (told (notesd-sync--sendable (notesd-buffer-text))))
    (setf (notesd-note-told note) told (notesd-note-n note) 0 (notesd-note-saved-n note) -1 (notesd-note-changes note) nil
          (notesd-note-busy note) nil (notesd-note-undone note) 0 (notesd-note-redoing note) 0)
    (notesd-take--open (list :resume (notesd-sync-resumption)) #'notesd-take--resumed)))

(defun notesd-take--open (more then)
  "Open the note of this buffer in notesctl, unless that is under way.
Send MORE, too, and call THEN with note, result and failure."
  (let ((note notesd-sync-note) (buffer (current-buffer)))
    (unless (notesd-note-opening note)
      (setf (notesd-note-opening note) t)
      (notesd-rpc-send
       "buffer.open" (append (list :buffer (notesd-note-number note) :id (notesd-note-id note)) more)
       (lambda (result failure)
         (setf (notesd-note-opening note) nil)
         (when (and (buffer-live-p buffer) (eq note (buffer-local-value 'notesd-sync-note buffer)))
           (with-current-buffer buffer (funcall then note result failure))))))))

(defun notesd-take--resumed (note result failure)
  "Go on with NOTE after the response RESULT or FAILURE to the opening."
  (cond
   ((plist-get result :parted) (notesd-take--part))
   (result (notesd-take-opened note result))
   ((equal (plist-get failure :kind) "disconnected"))
   ((equal (plist-get failure :kind) "offline")
    ;; Otherwise the daemon will be reported to be back.
    (when (notesd-rpc-connected-p) (notesd-sync--after 0.1 #'notesd-take--again)))
   (t (setf (notesd-note-wanted note) nil)
      (notesd-sync--trouble
       (if (equal (plist-get failure :kind) "note_not_found")
           "the daemon does not have this note; \\[notesd-find] makes a new one"
         (plist-get failure :message)))))
  (notesd-sync--changed))

(defun notesd-take--again ()
  "Open the note of this buffer again, if that is still needed."
  (when (and notesd-sync-note (notesd-note-wanted notesd-sync-note) (not (notesd-note-open notesd-sync-note)))
    (notesd-take--resume)))

(defun notesd-take-opened (note result)
  "Record that notesctl has NOTE of this buffer open, with RESULT."
  (setq notesd-rpc-writer (plist-get result :writer))
  (let ((saved (and (plist-get result :text) (not (plist-get result :draft)))))
    (setf (notesd-note-open note) t (notesd-note-shown note) (plist-get result :version)
          (notesd-note-writer note) (plist-get result :writer)
          ;; Otherwise notesctl reports when it has sent what the daemon lacks.
          (notesd-note-saved-n note) (if saved 0 -1) (notesd-note-saved-k note) 0 (notesd-note-step-k note) 0))
  (when (plist-get result :draft)
    (setf (notesd-note-since note) (or (notesd-note-since note) (float-time)))
    (notesd-sync--tell "sending an unsent draft"))
  (notesd-take--state result)
  (notesd-take--allow)
  (notesd-sync-flush)
  (run-hooks 'notesd-sync-opened-functions))

(defvar-local notesd-take--forbidden nil "Whether the user may not change the note of this buffer.")
(put 'notesd-take--forbidden 'permanent-local t)

(defun notesd-take--allow ()
  "Make this buffer read-only if the user may only read, and undo that later."
  (let ((forbidden (equal (plist-get notesd-rpc-daemon :access) "read")))
    (unless (eq forbidden notesd-take--forbidden)
      (setq notesd-take--forbidden forbidden buffer-read-only forbidden)
      (when forbidden (notesd-sync--tell "you may only read this note")))))

(defun notesd-take--part ()
  "Show the daemon's text, which is not related to the text of this buffer.
Keep the text of this buffer in another one."
  (notesd-take--open-anew
   (lambda (text)
     (notesd-sync-keep text)
     (notesd-sync--tell "the daemon does not know the version that you typed on; your text is in a separate buffer"))))

(defun notesd-take--open-anew (differs)
  "Open the note of this buffer without its text.
Call DIFFERS with that text if the daemon has another one."
  (notesd-take--open
   nil
   (lambda (note result failure)
     (if failure (notesd-take--resumed note nil failure)
       (let ((text (notesd-buffer-text)) (new (plist-get result :text)))
         (unless (equal text new) (funcall differs text))
         (setf (notesd-note-since note) nil (notesd-note-saved note) "" (notesd-note-n note) 0
               (notesd-note-changes note) nil (notesd-note-told note) new (notesd-note-faults note) 0
               (notesd-note-dos note) (equal (plist-get result :lineEnds) "crlf"))
         (unless (equal text new) (notesd-buffer-apply (list (list 0 (buffer-size) new))))
         (notesd-take-opened note result)
         (notesd-sync--changed))))))

(defun notesd-take-again ()
  "Open the note of this buffer again in notesctl.  Unsent text stays."
  (notesd-sync-flush)
  (let ((note notesd-sync-note) (buffer (current-buffer)))
    (setf (notesd-note-wanted note) t (notesd-note-faults note) 0)
    (if (not (notesd-note-open note)) (notesd-take--resume)
      (setf (notesd-note-open note) nil)
      (notesd-rpc-send "buffer.close" (list :buffer (notesd-note-number note))
                       (lambda (_ failure)
                         (when (and (null failure) (buffer-live-p buffer))
                           (with-current-buffer buffer (notesd-take--again))))))))

;;; Messages

(defun notesd-take--notified (method params)
  "Handle the notification METHOD with PARAMS."
  (when (equal method "attach.daemon") (notesd-take--daemon (plist-get params :up)))
  (let ((buffer (gethash (plist-get params :buffer) notesd-sync--numbers)))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (let ((note notesd-sync-note))
          (pcase method
            ("buffer.edit" (notesd-take--edit note params))
            ("buffer.saved" (notesd-take--saved note (plist-get params :n) (plist-get params :k) (plist-get params :version)))
            ("buffer.people" (setf (notesd-note-people note) (plist-get params :people))
             (run-hooks 'notesd-sync-people-functions))
            ("buffer.state" (notesd-take--state params) (notesd-sync--changed))
            ("buffer.notice" (notesd-take--notice note (plist-get params :kind) (plist-get params :text)))
            ("buffer.fault" (notesd-take--fault note (plist-get params :reason)))))))))
(add-hook 'notesd-rpc-notification-functions #'notesd-take--notified)

(defun notesd-take--daemon (up)
  "Record that the daemon went or came back: UP."
  (dolist (buffer (notesd-sync-buffers))
    (with-current-buffer buffer
      (let ((note notesd-sync-note))
        (cond ((not up)
               (setf (notesd-note-people note) nil)
               (run-hooks 'notesd-sync-people-functions))
              (t (notesd-take--allow)
                 (notesd-take--again)))
        (notesd-sync--changed)))))

(defun notesd-take--saved (note n k version)
  "Record that NOTE up to change N and edit K is on disk, as VERSION."
  (setf (notesd-note-saved note) version (notesd-note-faults note) 0 (notesd-note-refused note) nil
        (notesd-note-saved-n note) n (notesd-note-saved-k note) k)
  (notesd-sync-flush))

(defun notesd-take--state (state)
  "Record STATE, what the note of this buffer is besides its text."
  (let* ((note notesd-sync-note) (was (notesd-note-deleted note)) (deleted (plist-get state :deleted))
         (known (mapcar (lambda (conflict) (plist-get conflict :id)) (notesd-note-conflicts note)))
         (conflicts (plist-get state :conflicts))
         (new (seq-remove (lambda (conflict) (member (plist-get conflict :id) known)) conflicts)))
    ;; A deleted note has no name, but gets it back.
    (unless (or deleted (and was (null (plist-get state :name))) (equal (notesd-note-name note) (plist-get state :name)))
      (setf (notesd-note-name note) (plist-get state :name))
      (notesd-sync--tell (format "the note is now called %s" (or (plist-get state :name) "nothing"))))
    (setf (notesd-note-deleted note) (and deleted (or (plist-get deleted :by) "somebody"))
          (notesd-note-conflicts note) conflicts)
    (cond ((and deleted (not was))
           (notesd-sync--tell "somebody deleted the note; typing, or C-u \\[notesd-save], brings it back"))
          ((and was (not deleted)) (notesd-sync--tell "the note was restored") (notesd-sync--settle)))
    (cond (new (notesd-sync--tell (format "%d place%s where you and others wrote at once; both texts are kept (C-c , c)"
                                          (length new) (if (cdr new) "s" ""))))
          ((and known (null conflicts)) (notesd-sync--tell "all conflicts are resolved")))))

(defun notesd-take--notice (note kind text)
  "Tell the user TEXT about NOTE, a notice of KIND."
  (pcase kind
    ;; These are in the state of the note, or of the mode line.
    ((or "deleted" "clash" "offline"))
    ("parted"
     (setf (notesd-note-open note) nil)
     (let ((buffer (current-buffer)))
       (notesd-rpc-send "buffer.close" (list :buffer (notesd-note-number note))
                        (lambda (_ _)
                          (when (and (buffer-live-p buffer) (eq note (buffer-local-value 'notesd-sync-note buffer)))
                            (with-current-buffer buffer (notesd-take--part)))))))
    (_ (when (equal kind "refused") (setf (notesd-note-refused note) t (notesd-note-problem note) text))
       (notesd-sync--tell text)
       (force-mode-line-update))))

(defun notesd-take--fault (note reason)
  "Open NOTE again, because notesctl found REASON to distrust its text."
  (setf (notesd-note-open note) nil)
  (if (<= (cl-incf (notesd-note-faults note)) notesd-take-faults-max) (notesd-take--resume)
    (setf (notesd-note-wanted note) nil)
    (notesd-sync--trouble (format "nothing more is sent: %s; save a copy and open the note again" reason))))

;;; Edits

(defun notesd-take--busy-p ()
  "Return whether a command may keep positions in this buffer.
Such are commands that run, or that ask in the minibuffer or about a place, a
completion, and an input method, which edits the text with hooks and undo off."
  (unless notesd-take--waiting
    (or this-command
        inhibit-modification-hooks
        (and (window-minibuffer-p) (eq (window-buffer (minibuffer-selected-window)) (current-buffer)))
        (and (bound-and-true-p replace-overlay) (overlayp replace-overlay)
             (eq (overlay-buffer replace-overlay) (current-buffer)))
        (and completion-in-region-mode (markerp (car completion-in-region--data))
             (eq (marker-buffer (car completion-in-region--data)) (current-buffer))))))

(defun notesd-take--edit (note params)
  "Apply the edit PARAMS to the buffer of NOTE, or decline it."
  (when (notesd-note-open note)
    (notesd-sync-flush)
    (let* ((answer (list :buffer (notesd-note-number note) :k (plist-get params :k) :n (notesd-note-n note)))
           (busy (notesd-take--busy-p)) (edits (plist-get params :edits)) (told (notesd-note-told note))
           (after (ignore-errors (notesd-take--applied told edits))))
      (cond
       (busy
        (unless (notesd-note-busy note)
          (setf (notesd-note-busy note) t)
          (notesd-take--ready-later))
        (notesd-rpc-send "buffer.decline" (append answer '(:busy t))))
       ((or (notesd-note-sending note) (/= (plist-get params :n) (notesd-note-n note)))
        (notesd-rpc-send "buffer.decline" answer))
       ((null after) (notesd-take-again))
       (t
        (setf (notesd-note-shown note) (plist-get params :version) (notesd-note-told note) after)
        (notesd-rpc-send "buffer.accept" answer)
        (notesd-buffer-apply edits)
        (unless (equal (plist-get params :origin) "others")
          (setf (notesd-note-since note) (or (notesd-note-since note) (float-time))
                (notesd-note-step-k note) (plist-get params :k))
          (let ((place (notesd-take--place-after params told))) (when place (notesd-take-go (1+ place)))))
        (notesd-sync-flush)
        (run-hooks 'notesd-sync-changed-functions))))))

(defun notesd-take--place-after (step told)
  "Return where Emacs' undo or redo would put point after STEP on TOLD, or nil.
Redo goes to the start of what it changes, and undo to where the user was."
  (let ((edits (plist-get step :edits)) (place (cadr (plist-get step :selection))))
    (if (or (not (equal (plist-get step :origin) "redo")) (seq-every-p (lambda (edit) (= (car edit) (cadr edit))) edits))
        place
      (let ((growth 0))
        (pcase-dolist (`(,start ,end ,new) edits)
          (let ((same (compare-strings told start end new nil nil)))
            (setq place (+ start growth (if (eq same t) 0 (1- (abs same)))) growth (+ growth (length new) (- start end)))))
        place))))

(defun notesd-take--applied (text edits)
  "Return TEXT after EDITS."
  (let ((pieces nil) (from 0))
    (pcase-dolist (`(,start ,end ,new) edits)
      (setq pieces (nconc (list new (substring text from start)) pieces) from end))
    (apply #'concat (nreverse (cons (substring text from) pieces)))))

(defun notesd-take-go (position)
  "Move point to POSITION, and widen if that is not visible."
  (unless (<= (point-min) position (point-max)) (widen))
  (goto-char position)
  (when (eq (window-buffer) (current-buffer)) (set-window-point nil position)))

(defun notesd-take--ready-later ()
  "Say when the buffer is no longer busy, so that others' text comes."
  (notesd-sync--after
   notesd-sync-busy-seconds
   (lambda ()
     (let ((note notesd-sync-note))
       (cond ((not (and note (notesd-note-busy note))))
             ((notesd-take--busy-p) (notesd-take--ready-later))
             (t (notesd-sync-flush)
                (setf (notesd-note-busy note) nil)
                (notesd-rpc-send "buffer.ready" (list :buffer (notesd-note-number note)))))))))

;;; Requests

(defun notesd-take-note ()
  "Return the note of this buffer; signal an error if there is none."
  (or notesd-sync-note (user-error "This buffer follows no note")))

(defun notesd-take-await (condition)
  "Wait until CONDITION, a function, returns non-nil; return that.
Return nil after `notesd-timeout' seconds.  Others' edits come meanwhile."
  (let ((until (time-add nil notesd-timeout)) (notesd-take--waiting t) (result nil))
    (while (and (not (setq result (funcall condition))) (time-less-p nil until))
      (accept-process-output nil 0.05))
    result))

(defun notesd-take-call (method &rest params)
  "Return the result of METHOD with PARAMS on this buffer's note.
Signal an error if it fails."
  (let ((note notesd-sync-note) (notesd-take--waiting t))
    (notesd-sync-flush)
    (unless (notesd-take-await (lambda () (notesd-note-open note)))
      (user-error "%s" "The notes daemon does not answer; start it, or set `notesd-socket'"))
    (notesd-rpc-call method (append (list :buffer (notesd-note-number note)) params))))

(defun notesd-take-save (&optional then)
  "Ask that the text of this buffer is on disk; call THEN with result and failure.
Return whether the question could be sent."
  (notesd-sync-flush)
  (let* ((note notesd-sync-note) (buffer (current-buffer)))
    (and (notesd-note-open note)
         (notesd-rpc-send
          "buffer.save" (list :buffer (notesd-note-number note))
          (lambda (result failure)
            (when (buffer-live-p buffer)
              (with-current-buffer buffer
                (when (eq note notesd-sync-note)
                  ;; The notification buffer.saved came before.
                  (notesd-sync-flush)
                  (when then (funcall then result failure))))))))))

(provide 'notesd-take)
;;; notesd-take.el ends here
