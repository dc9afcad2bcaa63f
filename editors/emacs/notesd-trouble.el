;;; notesd-trouble.el --- What a machine does about what is refused -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; The machine of notesd-machine.el, where the daemon refused something: what
;; passes is sent again, what the daemon does not know any more is gone back
;; from, and for the rest the user is told.

;;; Code:

(require 'notesd-machine)

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
     ((member kind '("unknown_base" "revision_gone")) (notesd-machine--go-back m text))
     ((equal kind "invalid_edit") (notesd-machine-check m))
     ((equal kind "note_not_found")
      (setf (notesd-machine-phase m) 'stranded)
      (notesd-machine--trouble m "the daemon does not have this note; \\[notesd-find] makes a new one"))
     (t (setf (notesd-machine-phase m) 'refused)
        (append (notesd-machine--trouble m (plist-get failure :message)) '((wait)))))))

(defun notesd-machine--go-back (m text)
  "Have M go on from what was agreed on before, its version not being known.
TEXT goes out on that as a whole.  Where nothing is left to go back to, both
texts are shown."
  (pcase (pop (notesd-machine-past m))
    (`(,version . ,shadow)
     (setf (notesd-machine-version m) version (notesd-machine-shadow m) shadow
           (notesd-machine-typed m) t
           (notesd-machine-held m) t (notesd-machine-behind m) t)
     nil)
    (_
     (let ((differs (not (equal text (notesd-machine-shadow m)))))
       (setf (notesd-machine-held m) nil (notesd-machine-touched m) nil)
       (append (and differs
                    `((both ,text)
                      (edit ,(notesd-diff text (notesd-machine-shadow m)))
                      (tell problem "the daemon does not know what this was typed on; your text is in a buffer of its own")))
               (notesd-machine--read m t))))))

(defun notesd-machine-retry (m)
  "Return how M tries again what was refused."
  (let ((write (notesd-machine-pending-write m)))
    (cond ((eq (notesd-machine-phase m) 'refused)
           (setf (notesd-machine-phase m) 'live (notesd-machine-problem m) nil)
           nil)
          ((and write (eq (notesd-machine-phase m) 'live) (notesd-machine-problem m))
           (setf (notesd-machine-problem m) nil)
           `((send ,(plist-get write :method) ,(plist-get write :params)))))))

(defun notesd-machine-restore (m text)
  "Return how M brings a deleted note back with TEXT."
  (setf (notesd-machine-phase m) 'live)
  (notesd-machine--send
   m "note.save"
   (append (list :id (notesd-machine-id m) :base (notesd-machine-tombstone m)
                 :op (funcall (notesd-machine-op-maker m)) :text text)
           (and (notesd-machine-name m) (list :name (notesd-machine-name m))))
   (list :text text)))

(provide 'notesd-trouble)
;;; notesd-trouble.el ends here
