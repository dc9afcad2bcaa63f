;;; undo-tests.el --- Undo among other people's edits -*- lexical-binding: t; -*-

;;; Commentary:

;; Every character in these tests is different.  For each, the oracle knows which operation inserted
;; it, which removed it, and which of the user's operations are in force.  Undo and redo change
;; that; the operations of others are always in force.  So the oracle knows the expected text as a
;; set.  The order must satisfy two rules: a text inserted at once keeps its order, and no step changes
;; the order of the visible text before and after it.

;;; Code:

(require 'laws)
(require 'notesd-buffer)

(defvar undo-tests-known nil
  "The state of each character: (TEXT INSERTED REMOVED GONE).
TEXT is the number of the text that it came with, INSERTED the user's operation
that inserted it or nil, REMOVED those that removed it, GONE whether others did.")
(defvar undo-tests-holding nil "The user's operations that are in force.")
(defvar undo-tests-history nil
  "The operations in the order in which undo reverts them.
Each is (OPERATION . CELL), CELL being where the undo list has it.")
(defvar undo-tests-run nil "The operations left to undo in this run of undo commands.")
(defvar undo-tests-operations 0 "The number of operations so far.")
(defvar undo-tests-texts 0 "The number of inserted texts so far.")
(defvar undo-tests-shown "" "The text of the buffer after the last step.")

(defun undo-tests-new (length operation)
  "Return LENGTH characters that OPERATION, or another writer if nil, inserts."
  (cl-incf undo-tests-texts)
  (apply #'string
         (cl-loop repeat length
                  for character = (+ (cond ((eq operation 'initial) #x4e00) (operation #x20000) (t #xac00))
                                     (hash-table-count undo-tests-known))
                  do (puthash character (list undo-tests-texts (and (integerp operation) operation) nil nil)
                              undo-tests-known)
                  collect character)))

(defun undo-tests-removed (text operation)
  "Record that OPERATION, or another writer if nil, removed TEXT."
  (seq-doseq (character text)
    (let ((known (gethash character undo-tests-known)))
      (if operation (push operation (nth 2 known)) (setf (nth 3 known) t)))))

(defun undo-tests-to-show ()
  "Return the expected characters, sorted."
  (let ((characters nil))
    (maphash (pcase-lambda (character `(,_ ,inserted ,removed ,gone))
               (when (and (not gone)
                          (or (not inserted) (memq inserted undo-tests-holding))
                          (not (cl-intersection removed undo-tests-holding)))
                 (push character characters)))
             undo-tests-known)
    (sort characters #'<)))

(defun undo-tests-look ()
  "Compare the buffer with the oracle."
  (let* ((text (notesd-buffer-text)) (last (make-hash-table)) (before undo-tests-shown))
    (should (equal (sort (string-to-list text) #'<) (undo-tests-to-show)))
    (seq-doseq (character text)
      (let ((number (car (gethash character undo-tests-known))))
        (should (< (gethash number last 0) character))
        (puthash number character last)))
    (should (equal (seq-filter (lambda (c) (seq-contains-p text c)) before)
                   (seq-filter (lambda (c) (seq-contains-p before c)) text)))
    (setq undo-tests-shown text)))

(defun undo-tests-start ()
  "Start a case in the current buffer."
  (setq undo-tests-known (make-hash-table) undo-tests-holding nil undo-tests-history nil
        undo-tests-run nil undo-tests-operations 0 undo-tests-texts 0)
  ;; How much of the undo list is not yet converted.
  (setq-local notesd-undo--near (laws-pick [1 2 5 50]))
  (insert (undo-tests-new (random 12) 'initial))
  (setq buffer-undo-list nil last-command nil this-command nil undo-tests-shown (notesd-buffer-text)))

(defun undo-tests-elsewhere ()
  "Let another writer edit, and check that point and markers stay in place."
  (let* ((text (notesd-buffer-text)) (at (random (1+ (length text)))) (mark (copy-marker (1+ at)))
         (edits (mapcar (pcase-lambda (`(,start ,end ,new))
                          (undo-tests-removed (substring text start end) nil)
                          (list start end (undo-tests-new (length new) nil)))
                        (laws-edits text ["1" "12"])))
         (point (1- (point))))
    (notesd-buffer-apply edits)
    (undo-tests-cut)
    (dolist (place (list (cons at mark) (cons point (point))))
      (let ((character (and (< (car place) (length text)) (aref text (car place)))))
        (when (and character (seq-contains-p (notesd-buffer-text) character))
          ;; Before it, and before text inserted there.
          (let ((now (1+ (seq-position (notesd-buffer-text) character))))
            (should (<= (cdr place) now))
            (should-not (seq-intersection text (buffer-substring (cdr place) now)))))))
    (undo-tests-look)))

(defun undo-tests-cell ()
  "Return the place of the newest operation in the undo list."
  (seq-drop-while #'null buffer-undo-list))

(defun undo-tests-cut-p (cell)
  "Return whether CELL is not part of the undo list."
  (let ((at buffer-undo-list))
    (while (and at (not (eq at cell))) (setq at (cdr at)))
    (null at)))

(defun undo-tests-cut ()
  "Forget the operations removed from the undo list.
That must be the way there and back of operations that were undone."
  (let ((left (seq-remove (lambda (step) (undo-tests-cut-p (cdr step))) undo-tests-history)))
    (dolist (operation (seq-uniq (mapcar #'car undo-tests-history)))
      (should (cl-evenp (- (cl-count operation undo-tests-history :key #'car)
                           (cl-count operation left :key #'car)))))
    (setq undo-tests-history left
          undo-tests-run (seq-intersection undo-tests-run left #'eq))))

(defun undo-tests-change (start end length operation)
  "Let the user's OPERATION replace START to END by LENGTH characters."
  (let ((new (undo-tests-new length operation)))
    (undo-tests-removed (buffer-substring start end) operation)
    (cond ((zerop (random 2)) (delete-region start end) (goto-char start) (insert new))
          (t (goto-char start) (insert new) (delete-region (point) (+ (point) (- end start)))))))

(defun undo-tests-type ()
  "Run one command of the user, with edits of others in between."
  (let ((operation (cl-incf undo-tests-operations)) (did nil))
    (push operation undo-tests-holding)
    (undo-boundary)
    (goto-char (1+ (random (1+ (buffer-size)))))
    (dotimes (_ (1+ (random 4)))
      (let* ((start (point)) (end (min (point-max) (+ start (laws-pick [0 0 0 1 3]))))
             (length (if (= start end) (1+ (random 3)) (random 3))))
        (undo-tests-change start end length operation)
        (setq did t))
      (undo-tests-look)
      (when (zerop (random 3)) (undo-tests-elsewhere)))
    (undo-boundary)
    (when did (push (cons operation (undo-tests-cell)) undo-tests-history))
    (setq last-command 'self-insert-command undo-tests-run nil)))

(defun undo-tests-before (command)
  "Do the work that Emacs does before it runs COMMAND."
  (undo-boundary)
  (setq this-command command)
  (run-hooks 'pre-command-hook)
  (undo-tests-cut))

(defun undo-tests-command (command)
  "Run the undo COMMAND as a user would."
  (undo-tests-before command)
  (let ((inhibit-message t)) (call-interactively command))
  (setq last-command this-command)
  (undo-boundary))

(defun undo-tests-undo ()
  "Undo one operation, if there is one in this run."
  (undo-tests-before 'undo)
  (unless (eq last-command 'undo) (setq undo-tests-run undo-tests-history))
  (when undo-tests-run
    (let ((operation (car (pop undo-tests-run))))
      (setq undo-tests-holding (if (memq operation undo-tests-holding)
                                   (remq operation undo-tests-holding)
                                 (cons operation undo-tests-holding)))
      (undo-tests-command 'undo)
      (push (cons operation (undo-tests-cell)) undo-tests-history)
      (undo-tests-look))))

(ert-deftest undo-undoes-what-the-user-did-and-nothing-else ()
  (laws-for-seeds 15
    (with-temp-buffer
      (undo-tests-start)
      (dotimes (_ (+ 3 (random 12)))
        (pcase (laws-pick [type type elsewhere elsewhere undo undo undo stop])
          ('type (undo-tests-type))
          ('elsewhere (undo-tests-elsewhere))
          ('undo (undo-tests-undo))
          ('stop (setq last-command 'ignore)))))))

(ert-deftest undo-of-everything-leaves-what-others-wrote ()
  (laws-for-seeds 5
    (with-temp-buffer
      (undo-tests-start)
      (dotimes (_ (+ 2 (random 8))) (undo-tests-type) (undo-tests-elsewhere))
      (setq last-command 'ignore)
      (dotimes (_ undo-tests-operations) (undo-tests-undo) (undo-tests-elsewhere))
      (should-not undo-tests-holding)
      (should-not (string-match-p "[\U00020000-\U0002ffff]" (notesd-buffer-text))))))

(ert-deftest undo-redo-brings-back-what-was-undone ()
  (laws-for-seeds 5
    (with-temp-buffer
      (undo-tests-start)
      (dotimes (_ (+ 2 (random 5))) (undo-tests-type))
      (setq last-command 'ignore)
      (let* ((operations (mapcar #'car (cl-shiftf undo-tests-history nil))) (times (random (1+ (length operations)))))
        (dotimes (at times)
          (undo-tests-command 'undo-only)
          (setq undo-tests-holding (remq (nth at operations) undo-tests-holding))
          (undo-tests-look)
          (when (zerop (random 4)) (undo-tests-elsewhere)))
        ;; If another writer changed the reverted text, redo is impossible.
        (condition-case nil
            (dotimes (at times)
              (undo-tests-command 'undo-redo)
              (push (nth (- times at 1) operations) undo-tests-holding)
              (undo-tests-look)
              (notesd-buffer-apply (list (list 0 0 (undo-tests-new 1 nil))))
              (setq undo-tests-shown (notesd-buffer-text)))
          (user-error nil))))))

(ert-deftest undo-of-what-a-function-did-in-one-go ()
  ;; `comment-region' leaves a call with a separate undo list.
  (with-temp-buffer
    (emacs-lisp-mode)
    (insert "(one)\n(two)\n(three)\n")
    (setq buffer-undo-list nil)
    (comment-region 1 (point-max))
    (undo-boundary)
    (setq last-command 'ignore)
    (should (seq-find (lambda (element) (eq (car-safe element) 'apply)) buffer-undo-list))
    (notesd-buffer-apply '((0 0 "X") (4 5 "Y")))
    (undo-tests-command 'undo)
    (should (equal (notesd-buffer-text) "X(Yne)\n(two)\n(three)\n"))))

(ert-deftest undo-takes-others-edits-in-at-the-same-cost-however-long-its-list-is ()
  (with-temp-buffer
    (buffer-enable-undo)
    (dotimes (_ 2000) (insert "word ") (undo-boundary))
    (let* ((calls 0) (count (lambda (&rest _) (cl-incf calls))))
      (advice-add 'notesd-undo--element :before count)
      (unwind-protect
          (dotimes (at 100) (notesd-buffer-apply (list (list at at "x"))))
        (advice-remove 'notesd-undo--element count))
      ;; Check the neighbourhood of each edit, not the whole list.
      (should (< 100 calls (* 100 4 notesd-undo--near))))
    (undo-tests-command 'undo)
    (should (equal (notesd-buffer-text)
                   (concat (make-string 100 ?x) (apply #'concat (make-list 1999 "word ")))))
    (should-not notesd-undo--owed)))

(ert-deftest undo-of-an-unknown-function-is-given-up ()
  (with-temp-buffer
    (insert "one\n")
    (setq buffer-undo-list (list nil '(apply ignore 3) nil '(1 . 2)))
    (notesd-buffer-apply '((0 0 "X")))
    (should-not (seq-find #'identity buffer-undo-list))))

(provide 'undo-tests)
;;; undo-tests.el ends here
