;;; notesd-edits.el --- Applying and transforming edits of texts -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Everything here is a function of strings: no buffer, no clock, no socket.
;;
;; An edit is (START END TEXT): it replaces the characters from START up to
;; END, counted from 0, by TEXT.  All edits of a list refer to one text, the
;; base of the list.  The list is sorted, and its ranges do not overlap;
;; insertions at the same offset apply in their order.  This is the form of
;; `note.edit', with offsets in the position encoding `utf-32', which is how
;; Emacs counts.
;;
;; An edit inserts TEXT before the text that it removes.  So every character of
;; two edit lists with one base has a definite place, and two lists can be
;; transformed over each other without losing what either inserted.

;;; Code:

(require 'cl-lib)
(require 'seq)
(require 'subr-x)

;;; Applying

(defun notesd-edits-apply (text edits)
  "Return TEXT with EDITS applied.
Signal `args-out-of-range' if they do not fit."
  (let ((at 0) (pieces nil))
    (pcase-dolist (`(,start ,end ,new) edits)
      (unless (<= at start end (length text))
        (signal 'args-out-of-range (list start end (length text))))
      (push (substring text at start) pieces)
      (push new pieces)
      (setq at end))
    (push (substring text at) pieces)
    (apply #'concat (nreverse pieces))))

(defun notesd-edits-growth (edits)
  "Return the number of characters by which EDITS lengthen their base."
  (let ((growth 0))
    (pcase-dolist (`(,start ,end ,new) edits)
      (setq growth (+ growth (length new) (- start end))))
    growth))

(defun notesd-edits-map (offset edits &optional after)
  "Return the position of OFFSET of the base after applying EDITS.
It stays before text inserted exactly there, or goes after it if AFTER is
non-nil.  An offset inside a removed range moves to its end."
  (let ((shift 0) (result nil))
    (while (and edits (not result))
      (pcase-let ((`(,start ,end ,new) (pop edits)))
        (cond ((or (< offset start) (and (= offset start) (not after)))
               (setq result (+ offset shift)))
              ((< offset end)
               (setq result (+ start shift (length new))))
              (t (setq shift (+ shift (length new) (- start end)))))))
    (or result (+ offset shift))))

;;; Transforming

;; Internally, edits are runs over the base: a positive number keeps that many
;; characters, a negative one removes them, a string is inserted.

(defun notesd-edits--runs (edits)
  "Return EDITS as runs.  The text after the last run is kept."
  (let ((at 0) (runs nil))
    (pcase-dolist (`(,start ,end ,new) edits)
      (when (> start at) (push (- start at) runs))
      (unless (string-empty-p new) (push new runs))
      (when (> end start) (push (- start end) runs))
      (setq at end))
    (nreverse runs)))

(defun notesd-edits--from-runs (runs)
  "Return RUNS as edits.  Join each insertion with the removal after it."
  (let ((at 0) (edits nil))
    (dolist (run runs)
      (let ((last (car edits)))
        (cond
         ((stringp run)
          (if (and last (= (nth 0 last) (nth 1 last) at))
              (setcar (nthcdr 2 last) (concat (nth 2 last) run))
            (push (list at at run) edits)))
         ((> run 0) (setq at (+ at run)))
         (t
          (if (and last (= (nth 1 last) at))
              (setcar (cdr last) (- at run))
            (push (list at (- at run) "") edits))
          (setq at (- at run))))))
    (nreverse edits)))

(defun notesd-edits--run-length (run)
  "Return how many characters of the base RUN covers; nil means all the rest."
  (cond ((null run) most-positive-fixnum)
        ((stringp run) 0)
        (t (abs run))))

(defun notesd-edits--rest (run length)
  "Return what is left of RUN after LENGTH characters, or nil."
  (cond ((null run) nil)
        ((> run length) (- run length))
        ((< run (- length)) (+ run length))))

(defun notesd-edits-transform (edits over &optional first)
  "Return EDITS transformed over OVER: as they apply after OVER.
EDITS and OVER have the same base.  If both insert at one offset, the insertion
of EDITS comes first if FIRST is non-nil.  If FIRST is `lines', it comes first
only if it ends with a line end; if FIRST is `unless-lines', unless that of OVER
does.  Neither removes what the other inserts.  So EDITS followed by OVER
transformed over EDITS, with the opposite of FIRST, gives the same text as OVER
followed by the result."
  (if (or (null edits) (null over))
      edits
    (let* ((ours (notesd-edits--runs edits)) (theirs (notesd-edits--runs over))
           (our (pop ours)) (their (pop theirs)) (result nil))
      (while our
        (cond
         ((and (stringp our)
               (or (not (stringp their))
                   (pcase first
                     ('lines (string-suffix-p "\n" our))
                     ('unless-lines (not (string-suffix-p "\n" their)))
                     (_ first))))
          (push our result)
          (setq our (pop ours)))
         ((stringp their)
          (push (length their) result)
          (setq their (pop theirs)))
         (t
          (let ((length (min (notesd-edits--run-length our) (notesd-edits--run-length their))))
            (unless (and their (< their 0))
              (push (if (< our 0) (- length) length) result))
            (setq our (or (notesd-edits--rest our length) (pop ours))
                  their (or (notesd-edits--rest their length) (pop theirs)))))))
      (notesd-edits--from-runs (nreverse result)))))

;;; Composing

(defun notesd-edits-compose (edits then)
  "Return edits with the effect of EDITS followed by THEN.
THEN refers to the text that EDITS produce."
  (let* ((firsts (notesd-edits--runs edits)) (seconds (notesd-edits--runs then))
         (first (pop firsts)) (second (pop seconds)) (result nil))
    (while (or first second)
      (cond
       ((stringp second) (push second result) (setq second (pop seconds)))
       ((and first (not (stringp first)) (< first 0)) (push first result) (setq first (pop firsts)))
       (t
        (let* ((length (min (if (stringp first) (length first) (notesd-edits--run-length first))
                            (notesd-edits--run-length second)))
               (removed (and second (< second 0))))
          (cond ((not (stringp first)) (push (if removed (- length) length) result))
                ((not removed) (push (substring first 0 length) result)))
          (setq first (if (stringp first)
                          (if (> (length first) length) (substring first length) (pop firsts))
                        (or (notesd-edits--rest first length) (pop firsts)))
                second (or (notesd-edits--rest second length) (pop seconds)))))))
    (notesd-edits--from-runs (nreverse result))))

(defun notesd-edits-compose-all (lists)
  "Return edits with the effect of all LISTS of edits, one after the other.
Composes neighbours first, so that the time grows little faster than linearly."
  (while (cdr lists)
    (let ((pairs nil))
      (while lists
        (let ((one (pop lists)))
          (push (if lists (notesd-edits-compose one (pop lists)) one) pairs)))
      (setq lists (nreverse pairs))))
  (car lists))

;;; Line ends

(defun notesd-edits-dos-p (text)
  "Return whether TEXT has line ends, all of them CR LF."
  (and (string-search "\n" text)
       (not (string-match-p "\\(?:\\`\\|[^\r]\\)\n" text))))

(defun notesd-edits-to-dos (text)
  "Return TEXT with CR LF for each LF."
  (if (string-search "\n" text) (string-replace "\n" "\r\n" text) text))

(defun notesd-edits-from-dos (text)
  "Return TEXT with LF for each CR LF."
  (if (string-search "\n" text) (string-replace "\r\n" "\n" text) text))

(defun notesd-edits-between-dos-p (text edits)
  "Return whether EDITS split no CR LF of TEXT.
The text that they insert must have no other line ends than CR LF."
  (let ((length (length text)))
    (seq-every-p
     (pcase-lambda (`(,start ,end ,new))
       (and (not (string-match-p "\\(?:\\`\\|[^\r]\\)\n" new))
            (seq-every-p (lambda (at)
                           (not (and (< 0 at length) (eq (aref text at) ?\n)
                                     (eq (aref text (1- at)) ?\r))))
                         (list start end))))
     edits)))

(defun notesd-edits-dos-from-shown (shown edits)
  "Return EDITS of SHOWN as edits of SHOWN with CR LF for each LF."
  (let ((from 0) (ends 0))
    (cl-flet ((counted (at)
                (while (and (setq from (string-search "\n" shown from)) (< from at))
                  (setq ends (1+ ends) from (1+ from)))
                (setq from (min (or from (length shown)) at))
                (+ at ends)))
      (mapcar (pcase-lambda (`(,start ,end ,new))
                (let ((start (counted start)))
                  (list start (counted end) (notesd-edits-to-dos new))))
              edits))))

(defun notesd-edits-shown-from-dos (text edits)
  "Return EDITS of TEXT as edits of TEXT with LF for each CR LF.
They must satisfy `notesd-edits-between-dos-p'."
  (let ((from 0) (ends 0) (result nil))
    (cl-flet ((shown (at)
                (while (and (setq from (string-search "\n" text from)) (< from at))
                  (setq ends (1+ ends) from (1+ from)))
                (setq from (min (or from (length text)) at))
                (- at ends)))
      (pcase-dolist (`(,start ,end ,new) edits)
        (let ((start (shown start)))
          (push (list start (shown end) (notesd-edits-from-dos new)) result))))
    (nreverse result)))

;;; Bytes

(defun notesd-edits-to-bytes (text edits)
  "Return EDITS of TEXT with offsets that count bytes of UTF-8."
  (let ((from 0) (bytes 0))
    (cl-flet ((counted (at)
                (setq bytes (+ bytes (string-bytes (substring text from at))) from at)
                bytes))
      (mapcar (pcase-lambda (`(,start ,end ,new))
                (let ((start (counted start))) (list start (counted end) new)))
              edits))))

(defun notesd-edits-from-bytes (text edits)
  "Return EDITS of TEXT, whose offsets count bytes, with offsets of characters.
Signal `args-out-of-range' if they do not fit."
  (let ((encoded (encode-coding-string text 'utf-8-unix)) (from 0) (characters 0))
    (cl-flet ((counted (at)
                (unless (<= from at (length encoded))
                  (signal 'args-out-of-range (list at (length encoded))))
                (setq characters (+ characters (length (decode-coding-string (substring encoded from at)
                                                                             'utf-8-unix)))
                      from at)
                characters))
      (mapcar (pcase-lambda (`(,start ,end ,new))
                (let ((start (counted start))) (list start (counted end) new)))
              edits))))

;;; Texts that cannot be sent

(defun notesd-edits-unsendable (text &optional from)
  "Return the offset of the first character of TEXT that no note can contain.
These are NUL, surrogates, and bytes that are not characters.  Return nil if
there is none.  Start at offset FROM."
  (string-match-p "[^\x01-\ud7ff\ue000-\U0010ffff]" text from))

(provide 'notesd-edits)
;;; notesd-edits.el ends here
