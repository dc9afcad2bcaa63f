;;; notesd-machine.el --- The state shared by a buffer and the daemon -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A state machine for each open note.  It knows the shadow, which is the text
;; last agreed on with the daemon, and the version of that text; the one
;; request under way, if any; and when the user typed the oldest text that is
;; not sent.  Each event passes it the text of the buffer and the time, and
;; returns a list of actions:
;;
;;   (send METHOD PARAMS)   send this request; pass the response to the machine
;;   (edit EDITS)           apply these edits of the text to the buffer
;;   (tell KIND STRING)     show a message; KIND: `note', `conflict', `problem'
;;   (both TEXT)            keep TEXT, which cannot be merged, in its own buffer
;;   (wait)                 call `notesd-machine-retry' later
;;   (changed)              the name, state or conflicts have changed
;;
;; The machine knows no buffer and no clock.  All texts have the line ends of
;; the note, and all offsets count characters.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'notesd-edits)
(require 'notesd-diff)

(defconst notesd-machine-hold-max 10
  "Number of seconds after which unsent text is sent as a whole.
The daemon merges a whole text and marks the places where others changed it too.")

(defconst notesd-machine-changes-max 200
  "Maximum number of changes to compose; after more, compare the texts once.")

(defconst notesd-machine-past-max 30 "Maximum number of earlier shadows to keep.")
(defconst notesd-machine-past-characters-max 2000000
  "Maximum number of characters of all earlier shadows together.")

(cl-defstruct (notesd-machine (:constructor notesd-machine--make))
  "The state that a buffer shares with the daemon.
PHASE is `offline', `live', `deleted', `stranded' (the daemon does not know the
note or the version) or `refused' (a write got an error that persists until
somebody acts).  PENDING is nil or a plist with :method, :params and, for
writes, :text, the text of the note if nobody else writes."
  id name
  ;; The version of the tombstone if the note is deleted; and whether the user brings it back.
  (tombstone nil) (restoring nil)
  (phase 'offline) (shadow "") (version "") (pending nil)
  ;; What was typed since the shadow, or since the pending write, according to change hooks:
  ;; edits that count a line end as one character; t if unknown.
  (typed nil)
  ;; The changes after these edits, newest first, that are not composed with them yet.
  (changes nil)
  ;; Whether the note has CR LF for each line end of the buffer.
  (dos nil)
  ;; A text that the daemon refuses permanently, or nil.
  (refused nil)
  ;; The time at which the oldest unsent text was typed, or nil.
  (touched nil)
  ;; Whether unsent text goes out as a whole, whenever it was typed.
  (held nil)
  ;; Whether the note must be read again; `whole' if the shadow is in doubt.
  (behind nil)
  (conflicts nil) (resolves nil) (problem nil)
  ;; Earlier versions and shadows, the newest first: (VERSION . SHADOW).
  (past nil)
  ;; Whether changes arrived since the shadow was last compared with the daemon's text.
  (unchecked nil)
  ;; The version that was compared last.
  (checked nil)
  ;; Whether offsets on the wire count bytes of UTF-8, not characters.
  (bytes nil)
  ;; Returns a new op for a write.
  op-maker)

(defun notesd-machine-make (note op-maker)
  "Return a machine for NOTE, a result of `note.get'.
OP-MAKER is a function that returns a new op for each write."
  (notesd-machine--make
   :id (plist-get note :id) :name (plist-get note :name) :version (plist-get note :version)
   :shadow (plist-get note :text) :conflicts (plist-get note :conflicts)
   :phase 'live :op-maker op-maker))

(defun notesd-machine-durable-p (m text)
  "Return whether all of TEXT is durable, as far as M knows."
  (and (null (notesd-machine-pending-write m))
       (null (notesd-machine-resolves m))
       (null (notesd-machine-restoring m))
       (equal text (notesd-machine-shadow m))))

(defun notesd-machine-pending-write (m)
  "Return the write that M has under way, or nil."
  (let ((pending (notesd-machine-pending m)))
    (and (plist-member pending :text) pending)))

;;; Actions of the user

(defun notesd-machine-changed (m edit now)
  "Tell M that the user made EDIT in the buffer at NOW.
A command may make thousands of changes, so this composes nothing."
  (unless (notesd-machine-touched m)
    (setf (notesd-machine-touched m) now))
  (cond ((eq (notesd-machine-typed m) t))
        ((nthcdr (1- notesd-machine-changes-max) (notesd-machine-changes m))
         (notesd-machine--forget-typed m t))
        (t (push edit (notesd-machine-changes m)))))

(defun notesd-machine--forget-typed (m typed)
  "Make TYPED, nil or t, what M knows to be typed."
  (setf (notesd-machine-typed m) typed (notesd-machine-changes m) nil))

(defun notesd-machine--compose (m)
  "Compose the changes that M knows; return the edits, or t if unknown."
  (let ((changes (nreverse (mapcar #'list (cl-shiftf (notesd-machine-changes m) nil)))))
    (when (and changes (listp (notesd-machine-typed m)))
      (setf (notesd-machine-typed m)
            ;; Hooks may report anything.
            (condition-case nil (notesd-edits-compose-all (cons (notesd-machine-typed m) changes)) (error t)))))
  (notesd-machine-typed m))

(defun notesd-machine--typed (m base text)
  "Return the edits from BASE to TEXT.
These are the edits that hooks reported to M, if they lead to TEXT; otherwise
compare the texts, because hooks do not report everything."
  (let* ((typed (notesd-machine--compose m))
         (typed (if (and (consp typed) (notesd-machine-dos m))
                    (notesd-edits-dos-from-shown (notesd-edits-from-dos base) typed)
                  typed)))
    (cond ((equal base text) nil)
          ((and (consp typed)
                (condition-case nil (equal text (notesd-edits-apply base typed)) (args-out-of-range nil)))
           typed)
          (t (notesd-diff base text)))))

(defun notesd-machine--retyped (m base typed)
  "Record in M that TYPED is what was typed on BASE."
  (setf (notesd-machine-typed m)
        (cond ((or (null typed) (not (notesd-machine-dos m))) typed)
              ((notesd-edits-between-dos-p base typed) (notesd-edits-shown-from-dos base typed))
              (t t))))

(defun notesd-machine-resolve (m ids)
  "Make the next write of M resolve the conflicts IDS."
  (setf (notesd-machine-resolves m) (seq-union ids (notesd-machine-resolves m))))

(defun notesd-machine--held-p (m now)
  "Return whether M has held text so long at NOW that it goes out as a whole."
  (or (notesd-machine-held m)
      (let ((since (notesd-machine-touched m)))
        (and since (> (- now since) notesd-machine-hold-max)))))

(defun notesd-machine-flush (m text now)
  "Return the actions by which M sends what is due of TEXT at NOW."
  ;; The daemon may accept a different text.
  (when (and (eq (notesd-machine-phase m) 'refused) (notesd-machine-refused m)
             (not (equal text (notesd-machine-refused m))))
    (setf (notesd-machine-phase m) 'live (notesd-machine-refused m) nil))
  (cond
   ((notesd-machine-pending m) nil)
   ((not (memq (notesd-machine-phase m) '(live deleted))) nil)
   ;; The shadow may differ from the daemon's text: check that first.
   ((eq (notesd-machine-behind m) 'whole) (setf (notesd-machine-behind m) t) (notesd-machine-check m))
   ((and (equal text (notesd-machine-shadow m)) (null (notesd-machine-resolves m)))
    (setf (notesd-machine-touched m) nil (notesd-machine-held m) nil)
    (notesd-machine--forget-typed m nil)
    (append (and (cl-shiftf (notesd-machine-problem m) nil) '((changed)))
            (cond ((notesd-machine-behind m) (notesd-machine--read m))
                  ((notesd-machine-restoring m) (notesd-machine--restore m text)))))
   ((notesd-edits-unsendable text)
    (notesd-machine--trouble
     m (let ((at (notesd-edits-unsendable text)))
         (format "No note can contain character %d, on line %d; nothing is sent until you remove it"
                 (1+ at) (1+ (cl-count ?\n text :end at))))))
   (t
    ;; Typing in a deleted note brings it back.
    (setf (notesd-machine-phase m) 'live (notesd-machine-tombstone m) nil (notesd-machine-restoring m) nil)
    (notesd-machine--write m text now))))

(defun notesd-machine--trouble (m problem)
  "Make M report PROBLEM, once."
  (unless (equal problem (notesd-machine-problem m))
    (setf (notesd-machine-problem m) problem)
    `((tell problem ,problem) (changed))))

(defun notesd-machine--write (m text now)
  "Return the actions by which M sends TEXT at NOW."
  (let ((base (list :id (notesd-machine-id m) :base (notesd-machine-version m)
                    :op (funcall (notesd-machine-op-maker m))))
        (resolves (and (notesd-machine-resolves m)
                       (list :resolves (vconcat (notesd-machine-resolves m)))))
        (whole (notesd-machine--held-p m now)))
    (notesd-machine--send
     m (if whole "note.save" "note.edit")
     (append base resolves
             (if whole (list :text text)
               (list :edits (notesd-machine--wire-edits m text))))
     (list :text text :resolves (notesd-machine-resolves m)))))

(defun notesd-machine--wire-edits (m text)
  "Return the edits from the shadow of M to TEXT, in the form of the wire."
  (let* ((shadow (notesd-machine-shadow m)) (edits (notesd-machine--typed m shadow text)))
    (vconcat (mapcar (pcase-lambda (`(,start ,end ,new)) (list :start start :end end :text new))
                     (if (notesd-machine-bytes m) (notesd-edits-to-bytes shadow edits) edits)))))

(defun notesd-machine--send (m method params &optional more)
  "Return the actions by which M sends METHOD with PARAMS; keep MORE with it."
  (setf (notesd-machine-pending m) (append (list :method method :params params) more))
  (when (plist-member more :text)
    (setf (notesd-machine-touched m) nil (notesd-machine-held m) nil
          (notesd-machine-resolves m) nil)
    (notesd-machine--forget-typed m nil))
  `((send ,method ,params) (changed)))

(defun notesd-machine--read (m &optional whole)
  "Return the actions by which M reads the changes, or the WHOLE text."
  (setf (notesd-machine-behind m) nil)
  (notesd-machine--send m "note.get"
                        (append (list :id (notesd-machine-id m))
                                (unless whole (list :from (notesd-machine-version m))))))

(defun notesd-machine-check (m)
  "Return the actions by which M checks its shadow against the daemon."
  (when (and (eq (notesd-machine-phase m) 'live) (null (notesd-machine-pending m)))
    (setf (notesd-machine-unchecked m) nil)
    (notesd-machine--send m "note.get"
                          (list :id (notesd-machine-id m) :at (notesd-machine-version m))
                          (list :then #'notesd-machine--checked))))

(defun notesd-machine--restore (m text)
  "Return the actions by which M brings a deleted note back with TEXT."
  (setf (notesd-machine-phase m) 'live)
  (notesd-machine--send
   m "note.save"
   (append (list :id (notesd-machine-id m) :base (notesd-machine-tombstone m)
                 :op (funcall (notesd-machine-op-maker m)) :text text)
           (and (notesd-machine-name m) (list :name (notesd-machine-name m))))
   (list :text text :restores t)))

;;; Messages from the daemon

(defun notesd-machine--agree (m version shadow)
  "Make VERSION with the text SHADOW the current ones of M; keep earlier ones."
  (unless (equal version (notesd-machine-version m))
    (let* ((each (max 1 (length (notesd-machine-shadow m))))
           (room (min notesd-machine-past-max (max 1 (/ notesd-machine-past-characters-max each)))))
      (push (cons (notesd-machine-version m) (notesd-machine-shadow m)) (notesd-machine-past m))
      (setf (notesd-machine-past m) (seq-take (notesd-machine-past m) room))))
  (setf (notesd-machine-version m) version (notesd-machine-shadow m) shadow))

(defun notesd-machine--take (m text edits version)
  "Apply EDITS to the shadow of M, which then has VERSION.
Return the actions for the buffer, whose text is TEXT.  EDITS is t if they do
not fit; then M requests the whole text."
  (if (eq edits t)
      (progn (setf (notesd-machine-behind m) 'whole) nil)
    (let* ((shadow (notesd-machine-shadow m))
           (edits (notesd-diff-refined shadow edits))
           (typed (notesd-machine--typed m shadow text)))
      (notesd-machine--agree m version (notesd-edits-apply shadow edits))
      (notesd-machine--retyped m (notesd-machine-shadow m)
                               (notesd-edits-transform typed edits 'unless-lines))
      (let ((here (notesd-edits-transform edits typed 'lines)))
        (and here `((edit ,here)))))))

(defun notesd-machine--edits (m note)
  "Return the edits from the shadow of M to the text of NOTE.
Return t if the edits of NOTE do not fit."
  (let ((shadow (notesd-machine-shadow m)))
    (if (not (plist-member note :edits))
        (notesd-diff shadow (plist-get note :text))
      (condition-case nil
          (let* ((edits (mapcar (lambda (edit)
                                  (list (plist-get edit :start) (plist-get edit :end) (plist-get edit :text)))
                                (plist-get note :edits)))
                 (edits (if (notesd-machine-bytes m) (notesd-edits-from-bytes shadow edits) edits)))
            (notesd-edits-apply shadow edits)
            edits)
        ((args-out-of-range wrong-type-argument) t)))))

(defun notesd-machine--conflicts (m conflicts)
  "Record in M that CONFLICTS are open; return messages about new ones."
  (let* ((known (mapcar (lambda (c) (plist-get c :id)) (notesd-machine-conflicts m)))
         (new (seq-remove (lambda (c) (member (plist-get c :id) known)) conflicts)))
    (setf (notesd-machine-conflicts m) conflicts)
    (cond (new `((tell conflict ,(format "%d place%s where you and others wrote at once; both texts are kept (C-c , c)"
                                         (length new) (if (cdr new) "s" "")))
                 (changed)))
          ((and known (null conflicts)) '((tell note "all conflicts are resolved") (changed)))
          (t '((changed))))))

;; The caller carries out what each of these returns, and then calls
;; `notesd-machine-flush' with the buffer's text.

(defun notesd-machine-answer (m result text now)
  "Tell M the RESULT of its request.  TEXT is the buffer's at NOW."
  (let ((pending (notesd-machine-pending m)))
    (setf (notesd-machine-pending m) nil (notesd-machine-problem m) nil)
    (cond ((plist-member pending :text) (notesd-machine--written m pending result text now))
          (pending (funcall (or (plist-get pending :then) #'notesd-machine--got)
                            m (plist-get result :note) text)))))

(defun notesd-machine--written (m pending result text now)
  "Tell M the RESULT of its PENDING write.  TEXT is the buffer's at NOW."
  (let* ((sent (plist-get pending :text)) (note (plist-get result :note))
         (version (plist-get result :version)))
    ;; The response is newer than all lines that arrived before it.
    (notesd-machine--agree m version sent)
    (when note (setf (notesd-machine-unchecked m) t))
    (setf (notesd-machine-behind m) nil)
    (when (plist-get pending :restores)
      (setf (notesd-machine-tombstone m) nil (notesd-machine-restoring m) nil))
    (cond
     ((and note (not (equal text sent)) (notesd-machine--held-p m now))
      ;; What was typed since is too old to transform here: it goes out as a whole, based on
      ;; the text on which it was typed, which is this client's own.
      (setf (notesd-machine-held m) t)
      nil)
     (note
      (append (notesd-machine--take m text (notesd-machine--edits m note) (plist-get note :version))
              (notesd-machine--conflicts m (plist-get note :conflicts))))
     (t
      ;; The watch does not report own writes, so ask whether this one resolved conflicts.
      (when (notesd-machine-conflicts m) (setf (notesd-machine-behind m) t))
      '((changed))))))

(defun notesd-machine--checked (m note text)
  "Check whether the shadow of M is the text of NOTE, which has its version.
If not, adopt the daemon's text.  TEXT is the buffer's."
  (setf (notesd-machine-checked m) (notesd-machine-version m))
  (unless (or (not (equal (plist-get note :version) (notesd-machine-version m)))
              (equal (plist-get note :text) (notesd-machine-shadow m)))
    (append (notesd-machine--take m text (notesd-diff (notesd-machine-shadow m) (plist-get note :text))
                                  (notesd-machine-version m))
            '((tell problem "the buffer did not match the daemon; it has been corrected")))))

(defun notesd-machine--got (m note text)
  "Tell M the current state, NOTE.  TEXT is the buffer's."
  (let ((deleted (plist-get note :deleted)) (was (notesd-machine-phase m)))
    (cond
     ;; If the user has typed in a note that somebody else deletes, the note stays.
     ((and deleted (not (equal text (notesd-machine-shadow m)))) nil)
     (deleted
      (setf (notesd-machine-phase m) 'deleted (notesd-machine-tombstone m) (plist-get note :version))
      (append (unless (eq was 'deleted)
                '((tell problem "somebody deleted the note; typing, or C-u \\[notesd-save], brings it back")))
              (notesd-machine--conflicts m nil)))
     (t
      (setf (notesd-machine-phase m) 'live (notesd-machine-tombstone m) nil
            (notesd-machine-restoring m) nil)
      (append
       (and (eq was 'deleted) '((tell note "the note was restored")))
       (notesd-machine--take m text (notesd-machine--edits m note) (plist-get note :version))
       (notesd-machine--doubt m note)
       (notesd-machine--renamed m note)
       (notesd-machine--conflicts m (plist-get note :conflicts)))))))

(defun notesd-machine--doubt (m note)
  "Make M check its shadow if NOTE has a different size."
  (unless (or (equal (notesd-machine-checked m) (notesd-machine-version m))
              (eql (plist-get note :bytes) (string-bytes (notesd-machine-shadow m))))
    (setf (notesd-machine-behind m) 'whole))
  nil)

(defun notesd-machine--renamed (m note)
  "Record in M the name of NOTE; return a message if it is new."
  (unless (equal (notesd-machine-name m) (plist-get note :name))
    (setf (notesd-machine-name m) (plist-get note :name))
    `((tell note ,(format "the note is now called %s" (or (plist-get note :name) "nothing"))) (changed))))

(defun notesd-machine-line (m note text now)
  "Tell M about NOTE, the change in a line of its watch.
TEXT is the buffer's at NOW."
  (let* ((shadow (notesd-machine-shadow m))
         (same (equal (plist-get note :version) (notesd-machine-version m)))
         (next (and (plist-member note :edits)
                    (equal (plist-get note :base) (notesd-machine-version m)))))
    (setf (notesd-machine-unchecked m) t)
    (cond
     ;; The response to a write includes all lines that arrive before it.
     ((notesd-machine-pending-write m) (setf (notesd-machine-behind m) t) nil)
     ((not (eq (notesd-machine-phase m) 'live)) (setf (notesd-machine-behind m) t) nil)
     (same (append (notesd-machine--renamed m note)
                   (notesd-machine--conflicts m (plist-get note :conflicts))))
     ((or (notesd-machine-pending m) (plist-get note :deleted)
          (and (not (equal text shadow)) (notesd-machine--held-p m now))
          ;; A text says less about where things moved than edits do, so request edits.
          (not next))
      (setf (notesd-machine-behind m) t)
      nil)
     (t (append (notesd-machine--take m text (notesd-machine--edits m note) (plist-get note :version))
                (notesd-machine--doubt m note)
                (notesd-machine--renamed m note)
                (notesd-machine--conflicts m (plist-get note :conflicts)))))))

(provide 'notesd-machine)
;;; notesd-machine.el ends here
