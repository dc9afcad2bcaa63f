;;; edits-tests.el --- Laws of edits and differences -*- lexical-binding: t; -*-

;;; Code:

(require 'laws)
(require 'notesd-edits)
(require 'notesd-diff)

(defun edits-tests-naive-apply (text edits)
  "Apply EDITS to TEXT one at a time, the last one first."
  (pcase-dolist (`(,start ,end ,new) (reverse edits) text)
    (setq text (concat (substring text 0 start) new (substring text end)))))

(defun edits-tests-naive-merge (text first second)
  "Apply FIRST and SECOND, both on TEXT, at once, character by character.
At each offset what FIRST inserts comes before what SECOND inserts."
  (let ((pieces nil))
    (cl-flet ((inserted (edits at)
                (apply #'concat (cl-loop for (start _ new) in edits when (= start at) collect new)))
              (removed (edits at)
                (cl-some (pcase-lambda (`(,start ,end ,_)) (and (<= start at) (< at end))) edits)))
      (dotimes (at (1+ (length text)))
        (push (inserted first at) pieces)
        (push (inserted second at) pieces)
        (when (and (< at (length text)) (not (removed first at)) (not (removed second at)))
          (push (substring text at (1+ at)) pieces))))
    (apply #'concat (nreverse pieces))))

(ert-deftest edits-apply-is-one-at-a-time ()
  (laws-for-seeds 5
    (let* ((text (laws-text (random 12) laws-alphabet)) (edits (laws-edits text laws-alphabet)))
      (should (equal (notesd-edits-apply text edits) (edits-tests-naive-apply text edits)))
      (should (= (length (notesd-edits-apply text edits))
                 (+ (length text) (notesd-edits-growth edits)))))))

(ert-deftest edits-apply-refuses-what-does-not-fit ()
  (should-error (notesd-edits-apply "ab" '((1 3 ""))) :type 'args-out-of-range)
  (should-error (notesd-edits-apply "ab" '((1 2 "") (0 1 ""))) :type 'args-out-of-range)
  (should-error (notesd-edits-apply "ab" '((2 1 ""))) :type 'args-out-of-range))

(ert-deftest edits-transform-is-the-naive-merge-both-ways ()
  (laws-for-seeds 25
    (let* ((text (laws-text (random 12) laws-alphabet))
           (first (laws-edits text ["A" "B" "C"])) (second (laws-edits text ["x" "y" "z"]))
           (merged (edits-tests-naive-merge text first second)))
      (should (equal merged (notesd-edits-apply (notesd-edits-apply text first)
                                                (notesd-edits-transform second first))))
      (should (equal merged (notesd-edits-apply (notesd-edits-apply text second)
                                                (notesd-edits-transform first second t)))))))

(ert-deftest edits-compose-is-one-after-the-other ()
  (laws-for-seeds 10
    (let* ((text (laws-text (random 12) laws-alphabet)) (edits (laws-edits text ["A" "BC"]))
           (between (notesd-edits-apply text edits)) (then (laws-edits between ["x" "yz"])))
      (should (equal (notesd-edits-apply between then)
                     (notesd-edits-apply text (notesd-edits-compose edits then)))))))

(ert-deftest edits-compose-all-is-one-after-the-other ()
  (laws-for-seeds 5
    (let* ((text (laws-text 20 laws-alphabet)) (now text) (lists nil))
      (dotimes (_ (random 9))
        (push (laws-edits now laws-alphabet) lists)
        (setq now (notesd-edits-apply now (car lists))))
      (should (equal (notesd-edits-apply text (notesd-edits-compose-all (nreverse lists))) now)))))

(ert-deftest diff-of-moved-lines-is-no-change-within-lines ()
  (let* ((lines (cl-loop for line below 500 collect (format "%d: a line\n" line)))
         (old (apply #'concat lines)) (new (apply #'concat (reverse lines))))
    (should (= (length (notesd-diff old new)) 1))
    (should (equal (notesd-edits-apply old (notesd-diff old new)) new))))

(ert-deftest edits-transform-with-whole-lines-first-is-one-text-both-ways ()
  (laws-for-seeds 10
    (let* ((text (laws-text (random 12) laws-alphabet))
           (first (laws-edits text ["A" "B\n"])) (second (laws-edits text ["x" "y\n"])))
      (should (equal (notesd-edits-apply (notesd-edits-apply text first)
                                         (notesd-edits-transform second first 'lines))
                     (notesd-edits-apply (notesd-edits-apply text second)
                                         (notesd-edits-transform first second 'unless-lines)))))))

(ert-deftest dos-edits-from-shown-are-the-same-edits ()
  (laws-for-seeds 5
    (let* ((shown (laws-text (random 20) ["a" "\n" "日" " "])) (edits (laws-edits shown ["b" "\n" "c"])))
      (should (equal (notesd-edits-to-dos (notesd-edits-apply shown edits))
                     (notesd-edits-apply (notesd-edits-to-dos shown) (notesd-edits-dos-from-shown shown edits)))))))

(ert-deftest edits-in-bytes-and-back ()
  (laws-for-seeds 5
    (let* ((text (laws-text (random 20) laws-alphabet)) (edits (laws-edits text laws-alphabet)))
      (should (equal edits (notesd-edits-from-bytes text (notesd-edits-to-bytes text edits)))))))

(ert-deftest edits-map-keeps-an-offset-at-its-character ()
  (laws-for-seeds 5
    (let* ((text (apply #'string (cl-loop for at below (random 20) collect (+ ?\u4e00 at))))
           (edits (laws-edits text ["a" "b"])) (after (notesd-edits-apply text edits)))
      (dotimes (at (length text))
        (let ((now (string-search (substring text at (1+ at)) after)))
          (when now (should (= now (notesd-edits-map at edits t)))))))))

(ert-deftest diff-leads-from-one-text-to-the-other ()
  (laws-for-seeds 5
    (let* ((old (laws-text (random 60) laws-alphabet))
           (new (if (zerop (random 2)) (laws-text (random 60) laws-alphabet)
                  (notesd-edits-apply old (laws-edits old laws-alphabet))))
           (edits (notesd-diff old new)) (at -1))
      (should (equal new (notesd-edits-apply old edits)))
      (should (eq (null edits) (equal old new)))
      (pcase-dolist (`(,start ,end ,text) edits)
        (should (>= start at))
        (should (or (< start end) (not (string-empty-p text))))
        (setq at end))
      (let ((coarse (list (list 0 (length old) new))))
        (should (equal new (notesd-edits-apply old (notesd-diff-refined old coarse))))))))

(ert-deftest diff-gives-up-and-replaces ()
  (let* ((old (mapconcat #'number-to-string (number-sequence 1 2000) "\n"))
         (new (mapconcat #'number-to-string (number-sequence 5000 7000) "\n")))
    (should (equal new (notesd-edits-apply old (notesd-diff old new))))))

(ert-deftest diff-touches-only-line-ends-when-a-paragraph-is-filled ()
  (should (equal (notesd-diff "one two three\nfour five six\n" "one two\nthree four\nfive six\n")
                 '((7 8 "\n") (13 14 " ") (18 19 "\n")))))

(ert-deftest dos-edits-are-shown-with-line-feeds-alone ()
  (laws-for-seeds 10
    (let* ((shown (laws-text (random 20) ["a" "\n" "日" " "]))
           (text (notesd-edits-to-dos shown))
           (new (laws-text (random 20) ["a" "\n" "\r" "日" " "]))
           (edits (if (zerop (random 2)) (laws-edits text ["a" "\r\n" "\n" "b"])
                    (notesd-diff text (notesd-edits-to-dos new)))))
      (should (equal shown (notesd-edits-from-dos text)))
      (when (notesd-edits-between-dos-p text edits)
        (let ((after (notesd-edits-apply text edits)))
          (should (equal (notesd-edits-from-dos after)
                         (notesd-edits-apply shown (notesd-edits-shown-from-dos text edits))))
          (should (equal after (notesd-edits-to-dos (notesd-edits-from-dos after)))))))))

(ert-deftest dos-is-when-every-line-ends-so ()
  (should (notesd-edits-dos-p "a\r\nb\r\n"))
  (should (notesd-edits-dos-p "a\r\r\nb"))
  (should-not (notesd-edits-dos-p "a"))
  (should-not (notesd-edits-dos-p "a\r\nb\n"))
  (should-not (notesd-edits-dos-p "\na\r\n")))

(ert-deftest unsendable-is-what-json-cannot-say ()
  (should-not (notesd-edits-unsendable "aé日👩\r\n\t\x10ffff"))
  (should (= 1 (notesd-edits-unsendable "a\0")))
  (should (= 2 (notesd-edits-unsendable (concat "ab" (string #xd800)))))
  (should (= 2 (notesd-edits-unsendable (concat "日b" (string (unibyte-char-to-multibyte 200)))))))

(provide 'edits-tests)
;;; edits-tests.el ends here
