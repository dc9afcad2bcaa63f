;;; sync-tests.el --- What is typed, and what others type, with a notesctl made up -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'laws)
(require 'notesd)

(defvar sync-tests-text nil "The text that notesctl has.")
(defvar sync-tests-sent nil "The messages that it received, newest first: (METHOD . PARAMS).")

(defun sync-tests-receive (method params &optional _callback _process)
  "Receive METHOD with PARAMS as notesctl does."
  (push (cons method params) sync-tests-sent)
  (when (equal method "buffer.change")
    (setq sync-tests-text (if (plist-member params :text) (plist-get params :text)
                            (notesd-take--applied sync-tests-text (mapcar (lambda (edit) (append edit nil)) (plist-get params :edits)))))
    (should (= (plist-get params :length) (length sync-tests-text))))
  t)

(defmacro sync-tests-with-note (text &rest body)
  "Run BODY in a buffer of a note with TEXT."
  (declare (indent 1))
  `(let ((sync-tests-text ,text) (sync-tests-sent nil) (notesd-sync--buffers (make-hash-table :test #'equal))
         (notesd-sync--numbers (make-hash-table)) (this-command nil) (inhibit-message t))
     (cl-letf (((symbol-function 'notesd-rpc-send) #'sync-tests-receive)
               ((symbol-function 'run-with-timer) #'ignore))
       (with-temp-buffer
         (notesd-sync-start (notesd-note--make :number 1 :id "01900000-0000-7000-8000-000000000000" :name "n" :told sync-tests-text
                                               :shown "a:1" :writer "00000000" :open t)
                            sync-tests-text)
         ,@body))))

(defun sync-tests-type ()
  "Change something; return whether hooks were told."
  (let ((inhibit-modification-hooks (= 0 (random 8))))
    (goto-char (1+ (random (1+ (buffer-size)))))
    (pcase (random 3)
      (0 (insert (laws-text (1+ (random 3)) laws-alphabet)))
      (1 (delete-region (point) (min (point-max) (+ (point) (random 4)))))
      (_ (let ((beg (point)) (end (min (point-max) (+ (point) (random 5))))) (upcase-region beg end))))
    (when (= 0 (random 3)) (undo-boundary))
    (not inhibit-modification-hooks)))

(ert-deftest sync-tells-what-is-typed-and-shows-what-others-type ()
  (laws-for-seeds 5
    (sync-tests-with-note (laws-text (random 30) laws-alphabet)
      (dotimes (_ 20)
        (dotimes (_ (random 5)) (sync-tests-type))
        (notesd-sync-flush)
        (should (equal sync-tests-text (buffer-string)))
        (when (= 0 (random 2))
          (let* ((edits (laws-edits sync-tests-text laws-alphabet)) (after (notesd-take--applied sync-tests-text edits))
                 (stale (= 0 (random 4))) (busy (= 0 (random 4))) (this-command (and busy 'any)))
            (when stale (sync-tests-type))
            (notesd-sync-flush)
            (let ((text (buffer-string)) (n (notesd-note-n notesd-sync-note)))
              (notesd-take--edit notesd-sync-note (list :k 1 :n (if stale (1- n) n) :edits edits :version "a:2" :origin "others"))
              (cond ((or stale busy)
                     (should (equal (caar sync-tests-sent) "buffer.decline"))
                     (should (equal (plist-get (cdar sync-tests-sent) :busy) (and busy t)))
                     (should (equal (buffer-string) text)))
                    (t (should (equal (car (seq-find (lambda (sent) (not (equal (car sent) "buffer.change"))) sync-tests-sent)) "buffer.accept"))
                       (setq sync-tests-text after)
                       (should (equal (buffer-string) after)))))))))))

(ert-deftest sync-of-one-step-is-one-change ()
  (sync-tests-with-note "one two\nthree\n"
    (setq buffer-undo-list nil)
    (goto-char 4)
    (dolist (letter '("x" "y" "z")) (insert letter))
    (undo-boundary)
    (delete-region 1 3)
    (notesd-sync-flush)
    (pcase-let ((`((,_ . ,second) (,_ . ,first)) sync-tests-sent))
      (should (equal (list (plist-get first :edits) (plist-get first :joins)) '([[3 3 "xyz"]] :false)))
      (should (equal (list (plist-get second :edits) (plist-get second :joins)) '([[0 2 ""]] :false))))
    (insert "A")
    (notesd-sync-flush)
    (should (eq (plist-get (cdar sync-tests-sent) :joins) t))
    (undo-boundary)
    (insert "B")
    (notesd-sync-flush)
    (should (eq (plist-get (cdar sync-tests-sent) :joins) :false))))

(ert-deftest sync-step-goes-on-after-text-of-others ()
  (dolist (boundary '(nil t))
    (sync-tests-with-note "one\n"
      (setq buffer-undo-list nil)
      (insert "a")
      (when boundary (undo-boundary))
      (notesd-sync-flush)
      (notesd-take--edit notesd-sync-note (list :k 1 :n 1 :edits '((5 5 "theirs")) :version "a:2" :origin "others"))
      (setq sync-tests-text (buffer-string))
      (insert "b")
      (notesd-sync-flush)
      (should (eq (plist-get (cdar sync-tests-sent) :joins) (if boundary :false t))))))

(ert-deftest sync-leaves-no-text-of-others-in-the-undo-list ()
  (laws-for-seeds 2
    (sync-tests-with-note (laws-text 10 ["a" "b" "\n"])
      (dotimes (_ 5)
        (insert (laws-pick ["x" "y"]))
        (undo-boundary)
        (notesd-sync-flush)
        (let ((edits (laws-edits sync-tests-text ["1" "2"] t)))
          (setq sync-tests-text (notesd-take--applied sync-tests-text edits))
          (notesd-take--edit notesd-sync-note (list :k 1 :n (notesd-note-n notesd-sync-note) :edits edits :version "a:2" :origin "others"))))
      (let ((others (replace-regexp-in-string "[^12]" "" (buffer-string))))
        (primitive-undo 100 buffer-undo-list)
        (should (equal (replace-regexp-in-string "[^12]" "" (buffer-string)) others))))))

(ert-deftest sync-puts-another-character-for-one-that-no-note-can-have ()
  (dolist (character (list 0 #xd800 #xdfff #x110000 (unibyte-char-to-multibyte 200)))
    (sync-tests-with-note "a\n"
      (goto-char 2)
      (insert character "b")
      (notesd-sync-flush)
      (should (equal sync-tests-text "a\ufffdb\n"))
      (should (string-match-p "character 2, on line 1" (notesd-note-problem notesd-sync-note)))
      (goto-char 2)
      (delete-char 1)
      (notesd-sync-flush)
      (should (equal sync-tests-text "ab\n"))
      (should-not (notesd-note-problem notesd-sync-note)))))

(provide 'sync-tests)
;;; sync-tests.el ends here
