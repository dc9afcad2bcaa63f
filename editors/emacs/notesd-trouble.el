;;; notesd-trouble.el --- Errors and lost connections -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; How the machine of notesd-machine.el handles a lost connection or an error
;; from the daemon.  It retries transient errors, goes back to an earlier
;; version if the daemon does not know the current one, and reports everything
;; else to the user.

;;; Code:

(require 'notesd-machine)

;;; Connections

(defun notesd-machine-connected (m text _now)
  "Return what M does with TEXT on a new connection.
Resend an unanswered write unchanged; its op keeps the daemon from applying it
twice.  Held text goes out as a whole, based on the version that was shown."
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
  "Tell M that the connection is lost."
  (unless (notesd-machine-pending-write m)
    (setf (notesd-machine-pending m) nil))
  (unless (eq (notesd-machine-phase m) 'stranded)
    (setf (notesd-machine-phase m) 'offline))
  '((changed)))

;;; Errors

(defun notesd-machine-failed (m failure text)
  "Tell M that its request failed with FAILURE.  TEXT is the buffer's.
FAILURE has :kind, :message and :retryable."
  (let ((kind (plist-get failure :kind)) (pending (notesd-machine-pending m)))
    (setf (notesd-machine-pending m) nil)
    ;; The request changed nothing.  M ignored the lines that arrived meanwhile.
    (setf (notesd-machine-behind m) t)
    (when (plist-member pending :text)
      (setf (notesd-machine-held m) t (notesd-machine-typed m) t
            (notesd-machine-resolves m) (plist-get pending :resolves)))
    (cond
     ((and (plist-get failure :retryable) (plist-member pending :text)
           (not (equal kind "unknown_base")))
      ;; Resend it with the same op: the daemon may have applied it.
      (setf (notesd-machine-pending m) pending (notesd-machine-held m) t)
      (append (notesd-machine--trouble m (plist-get failure :message)) '((wait))))
     ((member kind '("unknown_base" "revision_gone"))
      ;; On the way back, the unknown version is the one that was requested.
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
      ;; Do not resend it; the text may become valid when the user changes it.
      (setf (notesd-machine-phase m) 'refused
            (notesd-machine-refused m) (or (plist-get pending :text) text))
      (notesd-machine--trouble m (plist-get failure :message)))
     (t (setf (notesd-machine-phase m) 'refused)
        (append (notesd-machine--trouble m (plist-get failure :message)) '((wait)))))))

(defun notesd-machine--go-back (m text)
  "Make M go back to an earlier version, because its current one is unknown.
Ask the daemon whether it has the same text for that version.  If no earlier
version is left, show both TEXT and the daemon's text."
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
                      (tell problem "the daemon does not know the version that you typed on; your text is in a separate buffer")))
               (notesd-machine--read m t))))))

(defun notesd-machine--went-back (m note text)
  "Make M continue from NOTE, if it matches the earlier version.
TEXT then goes out as a whole, based on that version.  Otherwise try the version
before it."
  (pcase-let ((`(,version . ,shadow) (pop (notesd-machine-past m))))
    (if (not (and (equal version (plist-get note :version)) (equal shadow (plist-get note :text))))
        (notesd-machine--go-back m text)
      (setf (notesd-machine-version m) version (notesd-machine-shadow m) shadow
            (notesd-machine-typed m) t
            (notesd-machine-held m) t (notesd-machine-behind m) t)
      nil)))

(defun notesd-machine-retry (m)
  "Return what M does to retry after an error."
  (let ((write (notesd-machine-pending-write m)))
    (cond ((eq (notesd-machine-phase m) 'refused)
           (setf (notesd-machine-phase m) 'live (notesd-machine-problem m) nil
                 (notesd-machine-refused m) nil)
           nil)
          ((and write (eq (notesd-machine-phase m) 'live) (notesd-machine-problem m))
           (setf (notesd-machine-problem m) nil)
           `((send ,(plist-get write :method) ,(plist-get write :params)))))))

(defun notesd-machine-restore (m)
  "Make M bring a deleted note back, once nothing else is under way."
  (when (eq (notesd-machine-phase m) 'deleted)
    (setf (notesd-machine-restoring m) t))
  nil)

(provide 'notesd-trouble)
;;; notesd-trouble.el ends here
