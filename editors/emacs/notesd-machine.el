;;; notesd-machine.el --- What a buffer and the daemon agree on -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; One machine for each open note.  It knows the shadow, which is the text that
;; was last agreed on with the daemon, and the version that this text has; at most
;; one request under way; and since when the user has typed what was not sent.
;; It is told what happened, with the text of the buffer and the time, and
;; returns what to do, a list of
;;
;;   (send METHOD PARAMS)   send this request, and tell the machine its answer
;;   (edit EDITS)           make these edits, which are on the text, in the buffer
;;   (tell KIND STRING)     say so: `note', `conflict', `problem'
;;   (both TEXT)            keep TEXT in a buffer of its own; it cannot be merged
;;   (wait)                 tell `notesd-machine-retry' later
;;   (changed)              name, state or conflicts are others than before
;;
;; There is no buffer here and no clock.  All texts have the line ends of the
;; note, and all offsets count characters.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'notesd-edits)
(require 'notesd-diff)

(defconst notesd-machine-hold-max 10
  "After how many seconds text that was not sent is sent as a whole.
Edits are made over by this client where others changed something meanwhile; a
whole text on the version that it was typed on is merged by the daemon, which
marks where the two touch.")

(defconst notesd-machine-past-max 30 "How many texts that were agreed on are kept.")
(defconst notesd-machine-past-characters-max 2000000
  "Of how many characters, together, texts that were agreed on are kept.")

(cl-defstruct (notesd-machine (:constructor notesd-machine--make))
  "What a buffer and the daemon agree on.
PHASE is `offline', `live', `deleted', `stranded' (the note or the version is not
known any more) or `refused' (the daemon took a write with an error that passes
only if somebody does something).  PENDING is nil or a plist with :method, :params
and, for writes, :text, what the note is if nothing else happens."
  id name
  ;; Where the note is deleted, the version that says so; and whether the user brings it back.
  (tombstone nil) (restoring nil)
  (phase 'offline) (shadow "") (version "") (pending nil)
  ;; What was typed on the shadow, or on what is being written, as change hooks had it: edits
  ;; that count line ends as one character; t if that is not known.
  (typed nil)
  ;; Whether the note has CR LF for what the buffer shows as a line end.
  (dos nil)
  ;; The text that the daemon does not take, however often it is sent, or nil.
  (refused nil)
  ;; When the oldest text that was not sent was typed, or nil.
  (touched nil)
  ;; Whether what is typed goes out as a whole text, whenever it was typed.
  (held nil)
  ;; Whether a line came that says something else than is known, so that the note is read again.
  (behind nil)
  (conflicts nil) (resolves nil) (problem nil)
  ;; What was agreed on before, the newest first: (VERSION . SHADOW).
  (past nil)
  ;; Whether something came that was not compared with what the daemon has.
  (unchecked nil)
  ;; The version whose text was compared last.
  (checked nil)
  ;; Whether offsets on the wire count bytes of UTF-8, not characters.
  (bytes nil)
  ;; Makes the names of writes.
  op-maker)

(defun notesd-machine-make (note op-maker)
  "Return a machine for NOTE, as `note.get' answers it.
OP-MAKER is called for a name for each write."
  (notesd-machine--make
   :id (plist-get note :id) :name (plist-get note :name) :version (plist-get note :version)
   :shadow (plist-get note :text) :conflicts (plist-get note :conflicts)
   :phase 'live :op-maker op-maker))

(defun notesd-machine-durable-p (m text)
  "Return whether all of TEXT is durable, as far as M was told."
  (and (null (notesd-machine-pending-write m))
       (null (notesd-machine-resolves m))
       (null (notesd-machine-restoring m))
       (equal text (notesd-machine-shadow m))))

(defun notesd-machine-pending-write (m)
  "Return what M writes just now, or nil."
  (let ((pending (notesd-machine-pending m)))
    (and (plist-member pending :text) pending)))

;;; What the user does

(defun notesd-machine-changed (m edit now)
  "Tell M that the user made EDIT in the buffer at NOW."
  (unless (notesd-machine-touched m)
    (setf (notesd-machine-touched m) now))
  (unless (eq (notesd-machine-typed m) t)
    ;; A hook must not signal, whatever it was told.
    (setf (notesd-machine-typed m)
          (condition-case nil (notesd-edits-compose (notesd-machine-typed m) (list edit)) (error t)))))

(defun notesd-machine--typed (m base text)
  "Return the edits from BASE to TEXT: what M was told was typed, if it is that.
Otherwise they are found by comparing; hooks do not tell everything."
  (let* ((typed (notesd-machine-typed m))
         (typed (if (and (consp typed) (notesd-machine-dos m))
                    (notesd-edits-dos-from-shown (notesd-edits-from-dos base) typed)
                  typed)))
    (cond ((equal base text) nil)
          ((and (consp typed)
                (condition-case nil (equal text (notesd-edits-apply base typed)) (args-out-of-range nil)))
           typed)
          (t (notesd-diff base text)))))

(defun notesd-machine--retyped (m base typed)
  "Have M know that TYPED is what was typed on BASE."
  (setf (notesd-machine-typed m)
        (cond ((or (null typed) (not (notesd-machine-dos m))) typed)
              ((notesd-edits-between-dos-p base typed) (notesd-edits-shown-from-dos base typed))
              (t t))))

(defun notesd-machine-resolve (m ids)
  "Have the next write of M settle the conflicts IDS."
  (setf (notesd-machine-resolves m) (seq-union ids (notesd-machine-resolves m))))

(defun notesd-machine--held-p (m now)
  "Return whether M has held something at NOW for so long that all of it is sent."
  (or (notesd-machine-held m)
      (let ((since (notesd-machine-touched m)))
        (and since (> (- now since) notesd-machine-hold-max)))))

(defun notesd-machine-flush (m text now)
  "Return how M sends what is to be sent of TEXT at NOW."
  ;; Another text may be taken.
  (when (and (eq (notesd-machine-phase m) 'refused) (notesd-machine-refused m)
             (not (equal text (notesd-machine-refused m))))
    (setf (notesd-machine-phase m) 'live (notesd-machine-refused m) nil))
  (cond
   ((notesd-machine-pending m) nil)
   ((not (memq (notesd-machine-phase m) '(live deleted))) nil)
   ;; What is shown may not be what the daemon has: first that.
   ((eq (notesd-machine-behind m) 'whole) (setf (notesd-machine-behind m) t) (notesd-machine-check m))
   ((and (equal text (notesd-machine-shadow m)) (null (notesd-machine-resolves m)))
    (setf (notesd-machine-touched m) nil (notesd-machine-held m) nil (notesd-machine-typed m) nil)
    (append (and (cl-shiftf (notesd-machine-problem m) nil) '((changed)))
            (cond ((notesd-machine-behind m) (notesd-machine--read m))
                  ((notesd-machine-restoring m) (notesd-machine--restore m text)))))
   ((notesd-edits-unsendable text)
    (notesd-machine--trouble
     m (let ((at (notesd-edits-unsendable text)))
         (format "Character %d, on line %d, is none that a note can have; nothing is sent until it is gone"
                 (1+ at) (1+ (cl-count ?\n text :end at))))))
   (t
    ;; What is typed on a note that was deleted brings it back.
    (setf (notesd-machine-phase m) 'live (notesd-machine-tombstone m) nil (notesd-machine-restoring m) nil)
    (notesd-machine--write m text now))))

(defun notesd-machine--trouble (m problem)
  "Have M say what the PROBLEM is, once."
  (unless (equal problem (notesd-machine-problem m))
    (setf (notesd-machine-problem m) problem)
    `((tell problem ,problem) (changed))))

(defun notesd-machine--write (m text now)
  "Return how M sends TEXT at NOW."
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
  "Return the edits from the shadow of M to TEXT, as they are sent."
  (let* ((shadow (notesd-machine-shadow m)) (edits (notesd-machine--typed m shadow text)))
    (vconcat (mapcar (pcase-lambda (`(,start ,end ,new)) (list :start start :end end :text new))
                     (if (notesd-machine-bytes m) (notesd-edits-to-bytes shadow edits) edits)))))

(defun notesd-machine--send (m method params &optional more)
  "Return how M sends METHOD with PARAMS.  MORE is what is kept with it."
  (setf (notesd-machine-pending m) (append (list :method method :params params) more))
  (when (plist-member more :text)
    (setf (notesd-machine-touched m) nil (notesd-machine-held m) nil
          (notesd-machine-resolves m) nil (notesd-machine-typed m) nil))
  `((send ,method ,params) (changed)))

(defun notesd-machine--read (m &optional whole)
  "Return how M reads the note again: what changed, or the WHOLE text."
  (setf (notesd-machine-behind m) nil)
  (notesd-machine--send m "note.get"
                        (append (list :id (notesd-machine-id m))
                                (unless whole (list :from (notesd-machine-version m))))))

(defun notesd-machine-check (m)
  "Return how M sees whether its shadow is the text of its version."
  (when (and (eq (notesd-machine-phase m) 'live) (null (notesd-machine-pending m)))
    (setf (notesd-machine-unchecked m) nil)
    (notesd-machine--send m "note.get"
                          (list :id (notesd-machine-id m) :at (notesd-machine-version m))
                          (list :then #'notesd-machine--checked))))

(defun notesd-machine--restore (m text)
  "Return how M brings a deleted note back with TEXT, as its user wants."
  (setf (notesd-machine-phase m) 'live)
  (notesd-machine--send
   m "note.save"
   (append (list :id (notesd-machine-id m) :base (notesd-machine-tombstone m)
                 :op (funcall (notesd-machine-op-maker m)) :text text)
           (and (notesd-machine-name m) (list :name (notesd-machine-name m))))
   (list :text text :restores t)))

;;; What the daemon says

(defun notesd-machine--agree (m version shadow)
  "Have M know that VERSION has the text SHADOW, and keep what it agreed on before."
  (unless (equal version (notesd-machine-version m))
    (let* ((each (max 1 (length (notesd-machine-shadow m))))
           (room (min notesd-machine-past-max (max 1 (/ notesd-machine-past-characters-max each)))))
      (push (cons (notesd-machine-version m) (notesd-machine-shadow m)) (notesd-machine-past m))
      (setf (notesd-machine-past m) (seq-take (notesd-machine-past m) room))))
  (setf (notesd-machine-version m) version (notesd-machine-shadow m) shadow))

(defun notesd-machine--take (m text edits version)
  "Have M agree with the daemon on its shadow with EDITS made, which is VERSION.
Return what is to be done with TEXT.  EDITS are t where they do not fit: then
the daemon is asked for the whole text."
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
  "Return how the shadow of M becomes the text of NOTE, as edits.
Return t where those of NOTE do not fit."
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
  "Have M know that CONFLICTS are open.  Return what is said about them."
  (let* ((known (mapcar (lambda (c) (plist-get c :id)) (notesd-machine-conflicts m)))
         (new (seq-remove (lambda (c) (member (plist-get c :id) known)) conflicts)))
    (setf (notesd-machine-conflicts m) conflicts)
    (cond (new `((tell conflict ,(format "%d place%s where you and others wrote at once; both are kept (C-c , c)"
                                         (length new) (if (cdr new) "s" "")))
                 (changed)))
          ((and known (null conflicts)) '((tell note "no conflict is open any more") (changed)))
          (t '((changed))))))

;; After each of these, and once what they return is done, `notesd-machine-flush' is
;; called with the text that the buffer has then.

(defun notesd-machine-answer (m result text now)
  "Tell M the RESULT of what it sent.  TEXT is the buffer's at NOW."
  (let ((pending (notesd-machine-pending m)))
    (setf (notesd-machine-pending m) nil (notesd-machine-problem m) nil)
    (cond ((plist-member pending :text) (notesd-machine--written m pending result text now))
          (pending (funcall (or (plist-get pending :then) #'notesd-machine--got)
                            m (plist-get result :note) text)))))

(defun notesd-machine--written (m pending result text now)
  "Tell M the RESULT of its PENDING write.  TEXT is the buffer's at NOW."
  (let* ((sent (plist-get pending :text)) (note (plist-get result :note))
         (version (plist-get result :version)))
    ;; It is the newest, whatever lines came before it.
    (notesd-machine--agree m version sent)
    (when note (setf (notesd-machine-unchecked m) t))
    (setf (notesd-machine-behind m) nil)
    (when (plist-get pending :restores)
      (setf (notesd-machine-tombstone m) nil (notesd-machine-restoring m) nil))
    (cond
     ((and note (not (equal text sent)) (notesd-machine--held-p m now))
      ;; What was typed since is too old to be made over here: it goes out on the text that it
      ;; was typed on, which is this client's own.
      (setf (notesd-machine-held m) t)
      nil)
     (note
      (append (notesd-machine--take m text (notesd-machine--edits m note) (plist-get note :version))
              (notesd-machine--conflicts m (plist-get note :conflicts))))
     (t
      ;; Its own writes are not told to it: whether they settled anything is asked.
      (when (notesd-machine-conflicts m) (setf (notesd-machine-behind m) t))
      '((changed))))))

(defun notesd-machine--checked (m note text)
  "See whether the shadow of M is the text of NOTE, which is its version.
If not, have M agree on what the daemon has.  TEXT is the buffer's."
  (setf (notesd-machine-checked m) (notesd-machine-version m))
  (unless (or (not (equal (plist-get note :version) (notesd-machine-version m)))
              (equal (plist-get note :text) (notesd-machine-shadow m)))
    (append (notesd-machine--take m text (notesd-diff (notesd-machine-shadow m) (plist-get note :text))
                                  (notesd-machine-version m))
            '((tell problem "what was shown was not what the daemon has; it was read again")))))

(defun notesd-machine--got (m note text)
  "Tell M what NOTE is now.  TEXT is the buffer's."
  (let ((deleted (plist-get note :deleted)) (was (notesd-machine-phase m)))
    (cond
     ;; Who types on a note that another deletes keeps it.
     ((and deleted (not (equal text (notesd-machine-shadow m)))) nil)
     (deleted
      (setf (notesd-machine-phase m) 'deleted (notesd-machine-tombstone m) (plist-get note :version))
      (append (unless (eq was 'deleted)
                '((tell problem "it was deleted elsewhere; what you type, or C-u \\[notesd-save], brings it back")))
              (notesd-machine--conflicts m nil)))
     (t
      (setf (notesd-machine-phase m) 'live (notesd-machine-tombstone m) nil
            (notesd-machine-restoring m) nil)
      (append
       (and (eq was 'deleted) '((tell note "it was restored")))
       (notesd-machine--take m text (notesd-machine--edits m note) (plist-get note :version))
       (notesd-machine--doubt m note)
       (notesd-machine--renamed m note)
       (notesd-machine--conflicts m (plist-get note :conflicts)))))))

(defun notesd-machine--doubt (m note)
  "Have M compare its shadow with what the daemon has if NOTE has another size."
  (unless (or (equal (notesd-machine-checked m) (notesd-machine-version m))
              (eql (plist-get note :bytes) (string-bytes (notesd-machine-shadow m))))
    (setf (notesd-machine-behind m) 'whole))
  nil)

(defun notesd-machine--renamed (m note)
  "Have M know the name of NOTE."
  (unless (equal (notesd-machine-name m) (plist-get note :name))
    (setf (notesd-machine-name m) (plist-get note :name))
    `((tell note ,(format "it is called %s now" (or (plist-get note :name) "nothing"))) (changed))))

(defun notesd-machine-line (m note text now)
  "Tell M that NOTE changed, as a line of its watch says.
TEXT is the buffer's at NOW."
  (let* ((shadow (notesd-machine-shadow m))
         (same (equal (plist-get note :version) (notesd-machine-version m)))
         (next (and (plist-member note :edits)
                    (equal (plist-get note :base) (notesd-machine-version m)))))
    (setf (notesd-machine-unchecked m) t)
    (cond
     ;; The answer to a write says what is shown with it, so all lines before it are old.
     ((notesd-machine-pending-write m) (setf (notesd-machine-behind m) t) nil)
     ((not (eq (notesd-machine-phase m) 'live)) (setf (notesd-machine-behind m) t) nil)
     (same (append (notesd-machine--renamed m note)
                   (notesd-machine--conflicts m (plist-get note :conflicts))))
     ((or (notesd-machine-pending m) (plist-get note :deleted)
          (and (not (equal text shadow)) (notesd-machine--held-p m now))
          ;; A text says less about where things went than edits do: those are asked for.
          (not next))
      (setf (notesd-machine-behind m) t)
      nil)
     (t (append (notesd-machine--take m text (notesd-machine--edits m note) (plist-get note :version))
                (notesd-machine--doubt m note)
                (notesd-machine--renamed m note)
                (notesd-machine--conflicts m (plist-get note :conflicts)))))))

(provide 'notesd-machine)
;;; notesd-machine.el ends here
