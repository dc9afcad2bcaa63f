;;; notesd-undo.el --- Undo lists below which others write -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; An undo list is a list of changes that lead from what a buffer shows back to
;; what it showed before, and each element speaks of the text that the elements
;; in front of it lead to.  When somebody else changes the buffer, his edits go
;; into no element: nobody undoes them.  But the elements have to speak of
;; texts that have his edits in them, and that is not done by adding to what
;; lies behind the place: each element is transformed over the edits, and
;; the edits over each element, before the next one is looked at.
;;
;; Where his text stands in the middle of what an element removes, the element
;; becomes several, around it.
;;
;; A list may be long, and others may type for hours.  So only the elements near
;; the top are transformed at once.  For those further down the edits are kept,
;; composed to one list, until the user does something that may look at them.
;;
;; Emacs remembers by the cells of a list which of its elements undo which
;; (`undo-equiv-table'), and within a run of undoing, which of them come next
;; (`pending-undo-list').  So cells stay, and their cars are set.  Elements that
;; are conses are never changed themselves: lists for undoing in a region share
;; them.

;;; Code:

(require 'cl-lib)
(require 'notesd-edits)
(require 'seq)

(cl-defstruct (notesd-undo--promise (:constructor notesd-undo--promise))
  "That the text is at CELL as it was at KEY, which stands behind BEFORE.
EDITS are what somebody else did there."
  cell key before edits)

(defvar-local notesd-undo--owed nil
  "Edits that the rest of the undo list has not been transformed over yet.
Each is (CELL . EDITS): from CELL on.  Those nearest to the top come first, and
are newer than all behind them.")

(defvar notesd-undo--near 50
  "How many elements are transformed at once.
The rest is done before the user's next command that does more than type, so
that what others type costs the same however long the list is.")

(defun notesd-undo-add (edits)
  "Make the undo list of the current buffer speak of a text with EDITS made.
EDITS are on the text that the buffer showed, with offsets from 0.  What is far
from the top waits for `notesd-undo-settle'."
  (let ((stop (notesd-undo--stop buffer-undo-list)))
    (when (eq stop 'all)
      (notesd-undo-settle)
      (setq stop nil))
    (unless stop
      ;; Their cells were not met: Emacs has cut the list off in front of them.
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
  "Return the cell of LIST where transforming it may stop for now.
It is the one where it stopped before, if that is near, so that few wait.
Return nil if all of it is near, or `all' if the user has undone something
that is near: then there may be promises to keep beyond."
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
    ;; What is deepest is oldest.
    (pcase-let ((`(,cell . ,edits) (car (last notesd-undo--owed)))
                (at (and (consp buffer-undo-list) buffer-undo-list)) (before nil))
      (setq notesd-undo--owed (butlast notesd-undo--owed))
      (while (and at (not (eq at cell))) (setq before at at (cdr at)))
      (when at
        (setq buffer-undo-list (car (notesd-undo--walk buffer-undo-list before edits nil))))))
  (remove-hook 'pre-command-hook #'notesd-undo--before-command t))

(defun notesd-undo--before-command ()
  "Have the undo list whole for commands that may look at it."
  (unless (memq this-command '(self-insert-command newline delete-backward-char))
    (notesd-undo-settle)))

(defun notesd-undo--walk (list before edits stop)
  "Make the undo list LIST speak of a text with EDITS made.
EDITS are on the text that it speaks of behind the cell BEFORE, or at its top if
BEFORE is nil, with offsets from 0.  It is done from there up to the cell STOP,
or to the end if STOP is nil.  Return (LIST . EDITS), with the edits at STOP.
LIST is changed in place, and what is returned is a tail of it.  Behind an
element whose effect is not known it is cut off.

Where the user undid something, LIST has it twice, there and back, and Emacs
knows where it is back (`undo-equiv-table').  If EDITS do not arrive there as
they set out, they are about text that went and came; then both ways are taken
out of LIST.  What was undone there cannot be redone any more.  Up to STOP there
may be no way back that does not end in front of it."
  (let ((cell (if before (cdr before) list)) (promises nil)
        ;; In the form that transforming leaves, so that they can be compared.
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
  "Return what Emacs knows of the text at CELL, which stands behind BEFORE.
EDITS are what somebody else did there."
  (let ((same (and (car cell) (gethash cell undo-equiv-table))))
    (when (or (consp same) (eq same t))
      (notesd-undo--promise :cell (and (consp same) same) :key cell :before before :edits edits))))

(defun notesd-undo--keep-promises (cell edits promises)
  "See whether the PROMISES about CELL hold, where EDITS have arrived.
Return (PROMISES . BROKEN): those that are left, and, of those that do
not hold, the one that was made first, or nil."
  (let ((broken nil) (left promises))
    (dolist (promise promises)
      (when (eq cell (notesd-undo--promise-cell promise))
        (setq left (remq promise left))
        (unless (equal edits (notesd-undo--promise-edits promise))
          (setq broken promise edits (notesd-undo--promise-edits promise))
          ;; What was promised within what is cut out is gone with it.
          (let ((inside (memq promise promises)))
            (dolist (other promises)
              (unless (memq other inside) (setq left (remq other left))))))))
    (cons left broken)))

(defun notesd-undo--cut (list before cell)
  "Take what stands between the cells BEFORE and CELL out of LIST; return it.
If BEFORE is nil, that is all in front of CELL.  What Emacs has on the cells
taken out goes on at CELL if it is about the first of them, where the text
is the same, and is forgotten otherwise."
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
           ;; The next undo starts anew.
           (remhash (seq-drop-while #'null list) undo-equiv-table)))
    list))

(defun notesd-undo--element (element edits)
  "Return ELEMENT as it is once EDITS are made, and EDITS behind it.
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
    ;; Boundaries, what markers were moved by, and when the buffer was saved.
    (_ (cons (list element) edits))))

(defun notesd-undo--behind (list edits)
  "Make LIST, which a function runs, speak of a text with EDITS made, in place.
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
  "Return POSITION once EDITS are made.  AFTER is as in `notesd-edits-map'."
  (1+ (notesd-edits-map (1- position) edits after)))

(defun notesd-undo--insertion (beg end edits)
  "Return the elements for text inserted from BEG to END, with EDITS made.
The result is as in `notesd-undo--element'."
  (let* ((first (1- beg)) (last (1- end)))
    (cond
     ;; All edits are in front of it.
     ((< (nth 1 (car (last edits))) first)
      (let ((growth (notesd-edits-growth edits)))
        (cons (list (cons (+ beg growth) (+ end growth))) edits)))
     (t
      (let* ((removal (list (list first last "")))
             (pieces (notesd-edits-transform removal edits)))
        (cons (if pieces
                  ;; The last first, so that none moves another.
                  (nreverse (mapcar (pcase-lambda (`(,from ,to ,_)) (cons (1+ from) (1+ to)))
                                    pieces))
                ;; What Emacs itself puts in where undoing does nothing, so that it still
                ;; counts as a step, and can be undone as one.
                (list (list 'apply 'cdr nil)))
              (notesd-edits-transform edits removal t)))))))

(defun notesd-undo--removal (text position edits)
  "Return the elements for TEXT that was removed at POSITION, with EDITS made.
The result is as in `notesd-undo--element'.  What is inserted where TEXT was
stands in front of it."
  (let* ((at (1- (abs position)))
         (insertion (list (list at at text)))
         (moved (1+ (caar (notesd-edits-transform insertion edits)))))
    (cons (list (cons text (if (< position 0) (- moved) moved)))
          (notesd-edits-transform edits insertion t))))

(defun notesd-undo--call (call edits)
  "Return the elements for CALL, the cdr of an `apply' element, with EDITS made.
The result is as in `notesd-undo--element'.  What a function does is known if it
runs an undo list; otherwise all that is known is where it does it."
  (pcase call
    ;; Emacs puts this in where a function left nothing to undo.
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
     ;; Everything is behind what it changes, which need not know.
     (cons (list (cons 'apply call))
           (mapcar (pcase-lambda (`(,from ,to ,text)) (list (+ from delta) (+ to delta) text)) edits)))
    (_ 'unknown)))

(provide 'notesd-undo)
;;; notesd-undo.el ends here
