;;; notesd-trouble.el --- What a machine does about what is refused -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The machine of notesd-machine.el, where the connection was lost, or the daemon
;; refused something: what passes is sent again, what the daemon does not know any
;; more is gone back from, and for the rest the user is told.

;;; Code:

(require 'notesd-machine)

;;; What becomes of a connection

(defun notesd-machine-connected (m text _now)
  "Return what M does with TEXT when there is a connection again.
What was not answered is sent again as it was; its name keeps it from being done
twice.  What was held goes out as a whole text on the version that was shown."
  (let ((write (notesd-machine-pending-write m)) (phase (notesd-machine-phase m)))
    (unless (eq phase 'stranded)
      (setf (notesd-machine-phase m)
            (if (and (notesd-machine-tombstone m) (not write)) 'deleted 'live)))
    (setf (notesd-machine-behind m) t (notesd-machine-held m) t (notesd-machine-refused m) nil)
    (cond
     (write `((send ,(plist-get write :method) ,(plist-get write :params)) (changed)))
     ((eq phase 'stranded) nil)
     (t (setf (notesd-machine-pending m) nil)
        (notesd-machine-flush m text 0)))))

(defun notesd-machine-disconnected (m &optional _text _now)
  "Tell M that the connection is gone."
  (unless (notesd-machine-pending-write m)
    (setf (notesd-machine-pending m) nil))
  (unless (eq (notesd-machine-phase m) 'stranded)
    (setf (notesd-machine-phase m) 'offline))
  '((changed)))

;;; What is refused

(defun notesd-machine-failed (m failure text)
  "Tell M that what it sent was answered with FAILURE.  TEXT is the buffer's.
FAILURE has :kind, :message and :retryable."
  (let ((kind (plist-get failure :kind)) (pending (notesd-machine-pending m)))
    (setf (notesd-machine-pending m) nil)
    ;; Nothing was done.  Lines that came meanwhile were passed over.
    (setf (notesd-machine-behind m) t)
    (when (plist-member pending :text)
      (setf (notesd-machine-held m) t (notesd-machine-typed m) t
            (notesd-machine-resolves m) (plist-get pending :resolves)))
    (cond
     ((and (plist-get failure :retryable) (plist-member pending :text)
           (not (equal kind "unknown_base")))
      ;; The same again, by the same name: it may have been done after all.
      (setf (notesd-machine-pending m) pending (notesd-machine-held m) t)
      (append (notesd-machine--trouble m (plist-get failure :message)) '((wait))))
     ((member kind '("unknown_base" "revision_gone"))
      ;; Of what was asked for on the way back only that is not known.
      (when (eq (plist-get pending :then) #'notesd-machine--went-back) (pop (notesd-machine-past m)))
      (notesd-machine--go-back m text))
     ((equal kind "invalid_edit") (notesd-machine-check m))
     ((equal kind "note_not_found")
      (setf (notesd-machine-phase m) 'stranded)
      (notesd-machine--trouble m "the daemon does not have this note; \\[notesd-find] makes a new one"))
     ((plist-get pending :restores)
      (setf (notesd-machine-phase m) 'deleted (notesd-machine-restoring m) nil)
      (notesd-machine--trouble m (plist-get failure :message)))
     ((member kind '("note_too_large" "line_too_long"))
      ;; It is no use to send it again; what is typed next may be.
      (setf (notesd-machine-phase m) 'refused
            (notesd-machine-refused m) (or (plist-get pending :text) text))
      (notesd-machine--trouble m (plist-get failure :message)))
     (t (setf (notesd-machine-phase m) 'refused)
        (append (notesd-machine--trouble m (plist-get failure :message)) '((wait)))))))

(defun notesd-machine--go-back (m text)
  "Have M go on from what was agreed on before, its version not being known.
The daemon is asked whether it knows that as it was.  Where nothing is left to
go back to, both TEXT and what the daemon has are shown."
  (pcase (car (notesd-machine-past m))
    (`(,version . ,_)
     (notesd-machine--send m "note.get" (list :id (notesd-machine-id m) :at version)
                           (list :then #'notesd-machine--went-back)))
    (_
     (let ((differs (not (equal text (notesd-machine-shadow m)))))
       (setf (notesd-machine-held m) nil (notesd-machine-touched m) nil)
       (append (and differs
                    `((both ,text)
                      (edit ,(notesd-diff text (notesd-machine-shadow m)))
                      (tell problem "the daemon does not know what this was typed on; your text is in a buffer of its own")))
               (notesd-machine--read m t))))))

(defun notesd-machine--went-back (m note text)
  "Have M go on from NOTE, if that is what was agreed on before.
TEXT goes out on that as a whole.  If not, what was agreed on still earlier is
tried."
  (pcase-let ((`(,version . ,shadow) (pop (notesd-machine-past m))))
    (if (not (and (equal version (plist-get note :version)) (equal shadow (plist-get note :text))))
        (notesd-machine--go-back m text)
      (setf (notesd-machine-version m) version (notesd-machine-shadow m) shadow
            (notesd-machine-typed m) t
            (notesd-machine-held m) t (notesd-machine-behind m) t)
      nil)))

(defun notesd-machine-retry (m)
  "Return how M tries again what was refused."
  (let ((write (notesd-machine-pending-write m)))
    (cond ((eq (notesd-machine-phase m) 'refused)
           (setf (notesd-machine-phase m) 'live (notesd-machine-problem m) nil
                 (notesd-machine-refused m) nil)
           nil)
          ((and write (eq (notesd-machine-phase m) 'live) (notesd-machine-problem m))
           (setf (notesd-machine-problem m) nil)
           `((send ,(plist-get write :method) ,(plist-get write :params)))))))

(defun notesd-machine-restore (m)
  "Have M bring a deleted note back, once nothing else is under way."
  (when (eq (notesd-machine-phase m) 'deleted)
    (setf (notesd-machine-restoring m) t))
  nil)

(provide 'notesd-trouble)
;;; notesd-trouble.el ends here
