;;; laws.el --- Random cases with seeds that are printed -*- lexical-binding: t; -*-

;;; Commentary:

;; Each law is tried with NOTESD_SEEDS seeds (default: 200), starting at NOTESD_SEED (default: 1).
;; A failing seed is printed.  NOTESD_SEED=17 NOTESD_SEEDS=1 tries seed 17 alone.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'subr-x)

(defun laws-number (name default)
  "Return the number in the environment variable NAME, or DEFAULT."
  (string-to-number (or (getenv name) (number-to-string default))))

(defmacro laws-for-seeds (times &rest body)
  "Run BODY for TIMES the usual number of seeds, seeding `random' with each."
  (declare (indent 1))
  `(let ((first (laws-number "NOTESD_SEED" 1))
         (count (max 1 (round (* ,times (laws-number "NOTESD_SEEDS" 200))))))
     (cl-loop for seed from first below (+ first count)
              do (random (format "notesd %d" seed))
              do (condition-case failure
                     (progn ,@body)
                   (ert-test-skipped (signal (car failure) (cdr failure)))
                   (error (ert-fail (list (format "NOTESD_SEED=%d" seed) failure)))))))

(defun laws-pick (items)
  "Return any of ITEMS."
  (elt items (random (length items))))

(defun laws-text (length alphabet)
  "Return a text of LENGTH pieces, each any of ALPHABET."
  (apply #'concat (cl-loop repeat length collect (laws-pick alphabet))))

(defconst laws-alphabet ["a" "b" "c" " " "\n" "é" "日" "e\u0301" "👩‍👩‍👧" "\r\n" "\t" "ß"]
  "Pieces of texts: narrow, wide, combining and joined characters.")

(defun laws-edits (text alphabet &optional insert-only)
  "Return random edits on TEXT that insert pieces of ALPHABET.
With INSERT-ONLY they remove nothing."
  (let ((at 0) (edits nil))
    (dotimes (_ (random 4))
      (when (<= at (length text))
        (let* ((start (+ at (random (1+ (- (length text) at)))))
               (end (if insert-only start (min (length text) (+ start (random 4)))))
               (new (laws-text (random 3) alphabet)))
          (unless (and (= start end) (string-empty-p new))
            (push (list start end new) edits))
          (setq at end))))
    (nreverse edits)))

(provide 'laws)
;;; laws.el ends here
