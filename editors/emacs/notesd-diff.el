;;; notesd-diff.el --- The edits from one text to another -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Finds what a user did to a text by comparing.  It strips what is equal at
;; both ends, compares the rest by lines, and lines that differ by words.  So
;; an edit covers no more than it has to, and does not move a cursor next to
;; it.
;;
;; The comparison is the greedy algorithm of Myers (An O(ND) Difference
;; Algorithm and Its Variations, 1986).  Beyond a maximum number of differences
;; it gives up and replaces the whole range, which is longer but still correct.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)

(defconst notesd-diff-differences-max 300
  "Maximum number of differences before a range is replaced as a whole.")

(defconst notesd-diff-words-max 4000
  "Maximum number of characters, on both sides together, to compare by words.")

(defconst notesd-diff-alike-min 400
  "Minimum number of characters for the rule that half must be in common.")

(defun notesd-diff--common-start (old new)
  "Return the number of characters that OLD and NEW share at their start."
  (let ((differs (compare-strings old nil nil new nil nil)))
    (if (eq differs t) (length old) (1- (abs differs)))))

(defun notesd-diff--common-end (old new skip)
  "Return the number of characters that OLD and NEW share at their end.
Ignore the first SKIP characters of both."
  (let* ((old-length (length old)) (new-length (length new))
         (low 0) (high (- (min old-length new-length) skip)) (step 64))
    (cl-flet ((alike (from to)
                (eq t (compare-strings old (- old-length to) (- old-length from)
                                       new (- new-length to) (- new-length from)))))
      ;; Take steps that double, then bisect the step that was too long.
      (while (and (< low high) (alike low (min high (+ low step))))
        (setq low (min high (+ low step)) step (* 2 step)))
      (setq high (min high (+ low step)))
      (while (< low high)
        (let ((middle (/ (+ low high 1) 2)))
          (if (alike low middle) (setq low middle) (setq high (1- middle)))))
      low)))

(defun notesd-diff--trimmed (start old new)
  "Return the edit that replaces OLD, which is at START, by NEW; nil if equal.
Leave out what they have in common at their ends."
  (let* ((before (notesd-diff--common-start old new))
         (after (notesd-diff--common-end old new before))
         (old-end (- (length old) after)) (new-end (- (length new) after)))
    (unless (= before old-end new-end)
      (list (+ start before) (+ start old-end) (substring new before new-end)))))

(defun notesd-diff--pieces (text regexp)
  "Return the successive matches of REGEXP in TEXT, as a vector."
  (let ((at 0) (pieces nil))
    (while (and (< at (length text)) (string-match regexp text at))
      (push (match-string 0 text) pieces)
      (setq at (match-end 0)))
    (vconcat (nreverse pieces))))

(defun notesd-diff--numbered (pieces numbers)
  "Return PIECES as numbers from table NUMBERS; equal pieces get equal numbers."
  (vconcat (seq-map (lambda (piece)
                      (or (gethash piece numbers)
                          (puthash piece (hash-table-count numbers) numbers)))
                    pieces)))

(defun notesd-diff--path (old new)
  "Return the trace of the shortest edit script from vector OLD to vector NEW.
This is a list of vectors of the furthest point on each diagonal, one for each
number of differences, the last one first; nil if there are more differences
than `notesd-diff-differences-max'."
  (let* ((n (length old)) (m (length new)) (max (min (+ n m) notesd-diff-differences-max))
         (origin (1+ max)) (reach (make-vector (+ 3 (* 2 max)) 0))
         (differences 0) (path nil) (done nil))
    (while (and (not done) (<= differences max))
      (push (copy-sequence reach) path)
      (let ((k (- differences)))
        (while (and (not done) (<= k differences))
          (let* ((down (or (= k (- differences))
                           (and (/= k differences)
                                (< (aref reach (+ origin k -1)) (aref reach (+ origin k 1))))))
                 (x (if down (aref reach (+ origin k 1)) (1+ (aref reach (+ origin k -1)))))
                 (y (- x k)))
            (while (and (< x n) (< y m) (eq (aref old x) (aref new y)))
              (setq x (1+ x) y (1+ y)))
            (aset reach (+ origin k) x)
            (setq done (and (= k (- n m)) (>= x n)) k (+ k 2)))))
      (setq differences (1+ differences)))
    (and done path)))

(defun notesd-diff--hunks (old new)
  "Return where the vectors OLD and NEW differ.
Each place is (OLD-START OLD-END NEW-START NEW-END).  Return t if they differ
too much to be compared."
  (let ((path (notesd-diff--path old new)))
    (if (null path)
        t
      (let* ((origin (/ (1- (length (car path))) 2)) (x (length old)) (y (length new)) (hunks nil))
        (cl-loop
         for reach in path
         for differences downfrom (1- (length path)) to 1
         do (let* ((k (- x y))
                   (down (or (= k (- differences))
                             (and (/= k differences)
                                  (< (aref reach (+ origin k -1)) (aref reach (+ origin k 1))))))
                   (from-k (if down (1+ k) (1- k)))
                   (from-x (aref reach (+ origin from-k))) (from-y (- from-x from-k))
                   (to-x (if down from-x (1+ from-x))) (to-y (if down (1+ from-y) from-y))
                   (next (car hunks)))
              (if (and next (= (nth 0 next) to-x) (= (nth 2 next) to-y))
                  (setcar hunks (list from-x (nth 1 next) from-y (nth 3 next)))
                (push (list from-x to-x from-y to-y) hunks))
              (setq x from-x y from-y)))
        hunks))))

(defun notesd-diff--offsets (pieces)
  "Return the start of each of PIECES, followed by the end of the last one."
  (let ((at 0))
    (vconcat (list 0) (seq-map (lambda (piece) (setq at (+ at (length piece)))) pieces))))

(defun notesd-diff--alike (start old-pieces new-pieces old-at hunks)
  "Return the edits within the pieces between HUNKS.
These pieces have equal keys, and may differ in the rest.  The old ones are in
OLD-PIECES, at offsets OLD-AT from START, and the new ones in NEW-PIECES."
  (let ((edits nil) (old 0) (new 0))
    (dolist (hunk (append hunks (list (list (length old-pieces) 0 (length new-pieces) 0))))
      (while (< old (nth 0 hunk))
        (unless (equal (aref old-pieces old) (aref new-pieces new))
          (push (notesd-diff--trimmed (+ start (aref old-at old))
                                      (aref old-pieces old) (aref new-pieces new))
                edits))
        (setq old (1+ old) new (1+ new)))
      (setq old (nth 1 hunk) new (nth 3 hunk)))
    edits))

(defun notesd-diff--by-pieces (start old new regexp key refine)
  "Return the edits from OLD, which is at START, to NEW.
Compare them by the keys of the pieces that REGEXP matches; KEY returns the key
of a piece.  Call REFINE with the start, the old and the new text of each place
that differs; it returns edits.  Return t if OLD and NEW differ too much."
  (let* ((numbers (make-hash-table :test #'equal))
         (old-pieces (notesd-diff--pieces old regexp)) (new-pieces (notesd-diff--pieces new regexp))
         (hunks (notesd-diff--hunks
                 (notesd-diff--numbered (seq-map key old-pieces) numbers)
                 (notesd-diff--numbered (seq-map key new-pieces) numbers))))
    (if (eq hunks t)
        t
      (let ((old-at (notesd-diff--offsets old-pieces)) (new-at (notesd-diff--offsets new-pieces)))
        (sort
         (append
          (seq-mapcat
           (pcase-lambda (`(,old-start ,old-end ,new-start ,new-end))
             (funcall refine (+ start (aref old-at old-start))
                      (substring old (aref old-at old-start) (aref old-at old-end))
                      (substring new (aref new-at new-start) (aref new-at new-end))))
           hunks)
          ;; These differ before their words, so a hunk at the same place comes first.
          (notesd-diff--alike start old-pieces new-pieces old-at hunks))
         (lambda (one other) (< (car one) (car other))))))))

(defun notesd-diff--word (piece)
  "Return the word at the end of PIECE, or PIECE if there is none."
  (if (string-match "[[:alnum:]]+\\'" piece) (match-string 0 piece) piece))

(defun notesd-diff--whole (start old new)
  "Return a list of one edit from OLD, which is at START, to NEW."
  (delq nil (list (notesd-diff--trimmed start old new))))

(defun notesd-diff-words (start old new)
  "Return the edits from OLD, which is at START, to NEW, compared by words.
Compare words that differ by characters."
  (if (or (string-empty-p old) (string-empty-p new)
          (> (+ (length old) (length new)) notesd-diff-words-max))
      (notesd-diff--whole start old new)
    (let ((edits (notesd-diff--by-pieces
                  start old new "[^[:alnum:]]*[[:alnum:]]+\\|[^[:alnum:]]+"
                  #'notesd-diff--word #'notesd-diff-characters)))
      (if (eq edits t) (notesd-diff-characters start old new) edits))))

(defun notesd-diff-characters (start old new)
  "Return the edits from OLD, which is at START, to NEW, compared by characters.
Long texts that have less than half of their characters in common are unrelated;
replace the whole text then."
  (let* ((length (+ (length old) (length new)))
         (edits (if (or (string-empty-p old) (string-empty-p new) (> length notesd-diff-words-max)) t
                  (notesd-diff--by-pieces start old new "\\(?:.\\|\n\\)" #'identity #'notesd-diff--whole))))
    (if (or (eq edits t)
            (and (> length notesd-diff-alike-min)
                 (> (* 2 (apply #'+ (mapcar (pcase-lambda (`(,from ,to ,text)) (+ (- to from) (length text)))
                                            edits)))
                    length)))
        (notesd-diff--whole start old new)
      edits)))

(defun notesd-diff (old new)
  "Return the edits that turn the text OLD into NEW; nil if they are equal."
  (unless (equal old new) (notesd-diff--different old new)))

(defun notesd-diff--different (old new)
  "Return the edits that turn OLD into the different text NEW."
  (let* ((before (notesd-diff--common-start old new))
         (after (notesd-diff--common-end old new before))
         (from (substring old before (- (length old) after)))
         (to (substring new before (- (length new) after))))
    (cond ((and (string-empty-p from) (string-empty-p to)) nil)
          ((or (string-empty-p from) (string-empty-p to)) (list (list before (+ before (length from)) to)))
          (t (let ((edits (notesd-diff--by-pieces before from to ".*\n\\|.+\\'" #'identity
                                                   #'notesd-diff-words)))
               (cond ((listp edits) edits)
                     ((notesd-diff--line-by-line old new))
                     (t (notesd-diff--whole before from to))))))))

(defun notesd-diff--line-by-line (old new)
  "Return one edit for each line of OLD that differs in NEW.
Return nil if the numbers of lines differ, or if lines may have moved: a line
that differs from its counterpart is elsewhere in NEW, or the two have less than
half of the shorter one in common at their ends.  This is for texts with too
many differences to compare, as after a replacement in the whole text."
  (let ((old-lines (split-string old "\n")) (new-lines (split-string new "\n"))
        (elsewhere (make-hash-table :test #'equal)) (start 0) (edits nil) (alike t))
    (when (= (length old-lines) (length new-lines))
      (dolist (line new-lines) (puthash line t elsewhere))
      (while (and alike old-lines)
        (let* ((one (pop old-lines)) (other (pop new-lines))
               (edit (notesd-diff--trimmed start one other)))
          (when edit
            (setq alike (and (not (gethash one elsewhere))
                             (<= (* 2 (min (- (nth 1 edit) (nth 0 edit)) (length (nth 2 edit))))
                                 (min (length one) (length other)))))
            (push edit edits))
          (setq start (+ start (length one) 1))))
      (and alike (nreverse edits)))))

(defun notesd-diff-refined (text edits)
  "Return EDITS, which refer to TEXT, made as small as a comparison allows."
  (seq-mapcat (pcase-lambda (`(,start ,end ,new))
                (cond ((= start end) (list (list start end new)))
                      ((string-empty-p new) (list (list start end new)))
                      (t (notesd-diff--moved start (notesd-diff (substring text start end) new)))))
              edits))

(defun notesd-diff--moved (by edits)
  "Return EDITS with offsets increased BY a number of characters."
  (mapcar (pcase-lambda (`(,start ,end ,new)) (list (+ by start) (+ by end) new)) edits))

(provide 'notesd-diff)
;;; notesd-diff.el ends here
