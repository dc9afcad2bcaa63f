;;; notesd-undo.el --- Undo lists in buffers that others change -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; An undo list is a list of changes that lead from the text of a buffer back
;; to its earlier texts.  Each element refers to the text that the elements
;; before it lead to.  When somebody else changes the buffer, their edits get
;; no element, so that nobody undoes them.  But the elements must then refer to
;; texts that contain these edits.  Shifting positions is not enough: each
;; element is transformed over the edits, and the edits over each element,
;; before the next element.
;;
;; If the text of others is inside the text that an element removes, the
;; element becomes several, around it.
;;
;; A list may be long, and others may type for hours.  So only the elements
;; near the top are transformed at once.  For the elements further down, the
;; edits are kept, composed into one list, until a command may use those
;; elements.
;;
;; Emacs identifies by the cells of a list which of its elements undo which
;; (`undo-equiv-table'), and during a sequence of undo commands, which come
;; next (`pending-undo-list').  So the cells stay, and only their cars are set.
;; Elements that are conses are never modified: lists for undo in a region
;; share them.

;;; Code:

(require 'cl-lib)
(require 'notesd-edits)
(require 'seq)

(cl-defstruct (notesd-undo--promise (:constructor notesd-undo--promise))
  "A promise that the text at CELL equals the text at KEY, which follows BEFORE.
EDITS are the edits of others there."
  cell key before edits)

(defvar-local notesd-undo--owed nil
  "Edits over which the rest of the undo list has yet to be transformed.
Each is (CELL . EDITS), for the list from CELL on.  Those nearest to the top
come first, and are newer than all after them.")

(defvar notesd-undo--near 50
  "Number of elements that are transformed at once.
The rest follows before the user's next command that does more than type, so
that the cost of others' typing does not depend on the length of the list.")

(defun notesd-undo-add (edits)
  "Transform the undo list of the current buffer over EDITS.
EDITS refer to the text that the buffer showed, with offsets from 0.  Elements
far from the top wait for `notesd-undo-settle'."
  (let ((stop (notesd-undo--stop buffer-undo-list)))
    (when (eq stop 'all)
      (notesd-undo-settle)
      (setq stop nil))
    (unless stop
      ;; The cells of these edits were not found: Emacs has truncated the list before them.
      (setq notesd-undo--owed nil))
    (pcase-let ((`(,list . ,rest) (notesd-undo--walk buffer-undo-list nil edits stop)))
      (setq buffer-undo-list list)
      (cond ((null rest))
            ((eq stop (caar notesd-undo--owed))
             (setcdr (car notesd-undo--owed)
                     (notesd-edits-compose (cdar notesd-undo--owed) rest)))
            (t (push (cons stop rest) notesd-undo--owed)
               (add-hook 'pre-command-hook #'notesd-undo--before-command nil t))))))

(defun notesd-undo--stop (list)
  "Return the cell of LIST where transforming may stop for now.
This is the previous cell where it stopped, if that is near, so that few edits
wait.  Return nil if the whole list is near, or `all' if the user has undone
something near: then promises may reach further."
  (let ((cell list) (at 0) (stop nil) (owed (caar notesd-undo--owed)))
    (while (and cell (< at (* 4 notesd-undo--near)))
      (cond ((gethash cell undo-equiv-table) (setq stop 'all cell nil))
            ((eq cell owed) (setq stop cell cell nil))
            (t (when (= at notesd-undo--near) (setq stop cell))
               (setq at (1+ at) cell (cdr cell)))))
    (if (or (eq stop 'all) (eq stop owed) (= at (* 4 notesd-undo--near))) stop nil)))

(defun notesd-undo-settle ()
  "Transform the rest of the undo list of the current buffer."
  (while notesd-undo--owed
    ;; The deepest edits are the oldest.
    (pcase-let ((`(,cell . ,edits) (car (last notesd-undo--owed)))
                (at (and (consp buffer-undo-list) buffer-undo-list)) (before nil))
      (setq notesd-undo--owed (butlast notesd-undo--owed))
      (while (and at (not (eq at cell))) (setq before at at (cdr at)))
      (when at
        (setq buffer-undo-list (car (notesd-undo--walk buffer-undo-list before edits nil))))))
  (remove-hook 'pre-command-hook #'notesd-undo--before-command t))

(defun notesd-undo--before-command ()
  "Complete the undo list before commands that may use it."
  (unless (memq this-command '(self-insert-command newline delete-backward-char))
    (notesd-undo-settle)))

(defun notesd-undo--walk (list before edits stop)
  "Transform the undo list LIST over EDITS.
EDITS refer to the text after the cell BEFORE, or at the top if BEFORE is nil,
with offsets from 0.  Transform from there up to the cell STOP, or to the end if
STOP is nil.  Return (LIST . EDITS), with the edits at STOP.  This modifies
LIST, and returns a tail of it.  It truncates LIST at an element whose effect is
unknown.

If the user undid something, LIST has it twice, as a change and its reversal,
and `undo-equiv-table' says where the two cancel.  If EDITS do not arrive there
as they were before, they touch the text in between; then remove both from LIST.
The user can no longer redo that change.  A reversal that begins before STOP
must also end before it."
  (let ((cell (if before (cdr before) list)) (promises nil)
        ;; Normalize EDITS like the result of transforming, so that they can be compared.
        (edits (notesd-edits--from-runs (notesd-edits--runs edits))))
    (while (and cell (not (eq cell stop)) (or edits promises))
      (pcase-let* ((`(,kept . ,back) (notesd-undo--keep-promises cell edits promises)))
        (when back
          (setq edits (notesd-undo--promise-edits back) before (notesd-undo--promise-before back)
                list (notesd-undo--cut list before cell)))
        (setq promises kept))
      (let ((promise (notesd-undo--promised cell before edits)))
        (when promise (push promise promises)))
      (pcase (notesd-undo--element (car cell) edits)
        ('unknown
         (setq list (notesd-undo--cut list before nil) cell nil edits nil promises nil))
        (`(,elements . ,rest)
         (setq edits rest)
         (setcar cell (car elements))
         (dolist (element (cdr elements))
           (setcdr cell (cons element (cdr cell)))
           (setq cell (cdr cell)))
         (setq before cell cell (cdr cell)))))
    (let ((back (cdr (notesd-undo--keep-promises nil edits promises))))
      (cons (if back (notesd-undo--cut list (notesd-undo--promise-before back) nil) list)
            (and cell edits)))))

(defun notesd-undo--promised (cell before edits)
  "Return the promise that Emacs makes at CELL, which follows BEFORE, or nil.
EDITS are the edits of others there."
  (let ((same (and (car cell) (gethash cell undo-equiv-table))))
    (when (or (consp same) (eq same t))
      (notesd-undo--promise :cell (and (consp same) same) :key cell :before before :edits edits))))

(defun notesd-undo--keep-promises (cell edits promises)
  "Check whether the PROMISES about CELL hold, given EDITS at CELL.
Return (PROMISES . BROKEN): the remaining ones, and, of those that do not hold,
the one that was made first, or nil."
  (let ((broken nil) (left promises))
    (dolist (promise promises)
      (when (eq cell (notesd-undo--promise-cell promise))
        (setq left (remq promise left))
        (unless (equal edits (notesd-undo--promise-edits promise))
          (setq broken promise edits (notesd-undo--promise-edits promise))
          ;; Promises within the part that is removed are removed with it.
          (let ((inside (memq promise promises)))
            (dolist (other promises)
              (unless (memq other inside) (setq left (remq other left))))))))
    (cons left broken)))

(defun notesd-undo--cut (list before cell)
  "Remove the part between the cells BEFORE and CELL from LIST; return LIST.
If BEFORE is nil, remove everything before CELL.  What Emacs records about the
first removed cell then applies to CELL, where the text is the same; what it
records about the others is dropped."
  (let* ((first (if before (cdr before) list)) (out (make-hash-table :test #'eq)) (at first))
    (while (and at (not (eq at cell)))
      (remhash at undo-equiv-table)
      (puthash at t out)
      (setq at (cdr at)))
    (if before (setcdr before cell) (setq list cell))
    (setq at list)
    (while (and before at (not (eq at cell)))
      (let ((same (gethash at undo-equiv-table)))
        (cond ((eq same first) (puthash at (or cell t) undo-equiv-table))
              ((gethash same out) (remhash at undo-equiv-table))))
      (setq at (cdr at)))
    (cond ((eq pending-undo-list first) (setq pending-undo-list (or cell t)))
          ((gethash pending-undo-list out)
           ;; The next undo starts a new sequence.
           (remhash (seq-drop-while #'null list) undo-equiv-table)))
    list))

(defun notesd-undo--element (element edits)
  "Return ELEMENT transformed over EDITS, and EDITS as they apply after it.
This is (ELEMENTS . EDITS), or `unknown'."
  (pcase element
    ((guard (null edits)) (list (list element)))
    ((pred integerp)
     (cons (list (notesd-undo--position element edits)) edits))
    (`(,(and beg (pred integerp)) . ,(and end (pred integerp)))
     (notesd-undo--insertion beg end edits))
    (`(,(and text (pred stringp)) . ,(and position (pred integerp)))
     (notesd-undo--removal text position edits))
    (`(nil ,property ,value ,beg . ,end)
     (cons (list (nconc (list nil property value (notesd-undo--position beg edits t))
                        (max (notesd-undo--position beg edits t)
                             (notesd-undo--position end edits))))
           edits))
    (`(apply . ,call) (notesd-undo--call call edits))
    ;; Boundaries, adjustments of markers, and the times at which the buffer was saved.
    (_ (cons (list element) edits))))

(defun notesd-undo--behind (list edits)
  "Transform LIST, an undo list that a function runs, over EDITS in place.
Return the edits at its end."
  (let ((cell list))
    (while cell
      (pcase (notesd-undo--element (car cell) edits)
        ('unknown (setcar cell nil) (setcdr cell nil) (setq cell nil))
        (`(,elements . ,rest)
         (setq edits rest)
         (setcar cell (car elements))
         (dolist (element (cdr elements))
           (setcdr cell (cons element (cdr cell)))
           (setq cell (cdr cell)))
         (setq cell (cdr cell)))))
    edits))

(defun notesd-undo--position (position edits &optional after)
  "Return POSITION after EDITS.  AFTER is as in `notesd-edits-map'."
  (1+ (notesd-edits-map (1- position) edits after)))

(defun notesd-undo--insertion (beg end edits)
  "Return the elements for text inserted from BEG to END, after EDITS.
The result is as in `notesd-undo--element'."
  (let* ((first (1- beg)) (last (1- end)))
    (cond
     ;; All edits are before it.
     ((< (nth 1 (car (last edits))) first)
      (let ((growth (notesd-edits-growth edits)))
        (cons (list (cons (+ beg growth) (+ end growth))) edits)))
     (t
      (let* ((removal (list (list first last "")))
             (pieces (notesd-edits-transform removal edits)))
        (cons (if pieces
                  ;; The last one first, so that none moves another.
                  (nreverse (mapcar (pcase-lambda (`(,from ,to ,_)) (cons (1+ from) (1+ to)))
                                    pieces))
                ;; Emacs itself inserts this where undoing does nothing, so that it still
                ;; counts as a step.
                (list (list 'apply 'cdr nil)))
              (notesd-edits-transform edits removal t)))))))

(defun notesd-undo--removal (text position edits)
  "Return the elements for TEXT that was removed at POSITION, after EDITS.
The result is as in `notesd-undo--element'.  Text inserted where TEXT was comes
before it."
  (let* ((at (1- (abs position)))
         (insertion (list (list at at text)))
         (moved (1+ (caar (notesd-edits-transform insertion edits)))))
    (cons (list (cons text (if (< position 0) (- moved) moved)))
          (notesd-edits-transform edits insertion t))))

(defun notesd-undo--call (call edits)
  "Return the elements for CALL, the cdr of an `apply' element, after EDITS.
The result is as in `notesd-undo--element'.  The effect of a function is known
only if it runs an undo list; otherwise only the place of the effect is known."
  (pcase call
    ;; Emacs inserts this where a function left nothing to undo.
    ('(cdr nil) (cons (list (cons 'apply call)) edits))
    (`(,delta ,beg ,end undo--wrap-and-run-primitive-undo ,_ ,_ ,inner)
     (let* ((inner (copy-tree inner))
            (beg-now (notesd-undo--position beg edits t))
            (end-now (max beg-now (notesd-undo--position end edits)))
            (behind (notesd-undo--behind inner edits))
            (beg-then (notesd-undo--position beg behind t))
            (end-then (max beg-then (notesd-undo--position (+ end delta) behind))))
       (cons (list (list 'apply (- (- end-then beg-then) (- end-now beg-now)) beg-now end-now
                         'undo--wrap-and-run-primitive-undo beg-now end-now inner))
             behind)))
    ((and `(,(and delta (pred integerp)) ,_ ,end . ,_)
          (guard (>= (caar edits) end)))
     ;; All edits are after the text that it changes, so it stays as it is.
     (cons (list (cons 'apply call))
           (mapcar (pcase-lambda (`(,from ,to ,text)) (list (+ from delta) (+ to delta) text)) edits)))
    (_ 'unknown)))

(provide 'notesd-undo)
;;; notesd-undo.el ends here
