;;; machine-tests.el --- Several machines that write one note -*- lexical-binding: t; -*-

;;; Commentary:

;; The daemon is a list of texts.  Responses to the machines are late, connections end before a
;; write is applied or before its response arrives, and the users type all the while.

;;; Code:

(require 'laws)
(require 'notesd-trouble)

(defvar machine-tests-main nil "The merged texts of the note, newest first: (VERSION TEXT EDITS) each.")
(defvar machine-tests-own nil "The texts on the branches of writers: (VERSION TEXT EDITS PLACE) each.")
(defvar machine-tests-ops nil "The applied writes, by their names: (OP . VERSION).")
(defvar machine-tests-number 0 "The last number that was used.")

(defun machine-tests-name (prefix)
  "Return a new name that starts with PREFIX."
  (format "%s%d" prefix (cl-incf machine-tests-number)))

(defun machine-tests-since (version)
  "Return (TEXT . EDITS): the text of VERSION, and the edits to the merged text."
  (let* ((own (assoc version machine-tests-own))
         (place (if own (nth 3 own)
                  (1- (length (member (assoc version machine-tests-main) machine-tests-main)))))
         (edits (and own (nth 2 own))))
    (dolist (step (nthcdr (1+ place) (reverse machine-tests-main)))
      (setq edits (notesd-edits-compose edits (nth 2 step))))
    (cons (if own (nth 1 own) (nth 1 (assoc version machine-tests-main))) edits)))

(defun machine-tests-outcome (version)
  "Return the response to the writer of VERSION."
  (let ((edits (cdr (machine-tests-since version))))
    (append (list :version version)
            (and (assoc version machine-tests-own)
                 (list :note (list :version (caar machine-tests-main) :conflicts nil
                                   :edits (machine-tests-wire edits)))))))

(defun machine-tests-wire (edits)
  "Return EDITS in the format of the wire."
  (mapcar (pcase-lambda (`(,start ,end ,new)) (list :start start :end end :text new)) edits))

(defun machine-tests-write (base edits)
  "Apply EDITS to BASE; return the version of the writer's text."
  (pcase-let* ((`(,text . ,since) (machine-tests-since base)) (version (machine-tests-name "v"))
               (here (notesd-edits-transform edits since t)))
    (if (null since)
        (push (list version (notesd-edits-apply text edits) edits) machine-tests-main)
      (push (list (machine-tests-name "m") (notesd-edits-apply (nth 1 (car machine-tests-main)) here) here)
            machine-tests-main)
      (push (list version (notesd-edits-apply text edits) (notesd-edits-transform since edits)
                  (1- (length machine-tests-main)))
            machine-tests-own))
    version))

(defun machine-tests-ask (method params)
  "Return the response to METHOD with PARAMS."
  (pcase method
    ("note.get"
     (let ((version (or (plist-get params :at) (caar machine-tests-main))))
       (list :note
             (append (list :version version :bytes (string-bytes (nth 1 (car machine-tests-main))) :conflicts nil)
                     (if (plist-get params :from)
                         (list :edits (machine-tests-wire (cdr (machine-tests-since (plist-get params :from)))))
                       (list :text (car (machine-tests-since version))))))))
    (_
     (let ((done (assoc (plist-get params :op) machine-tests-ops)))
       (unless done
         (let* ((base (plist-get params :base)) (text (car (machine-tests-since base)))
                (edits (if (equal method "note.save") (notesd-diff text (plist-get params :text))
                         (mapcar (lambda (edit) (list (plist-get edit :start) (plist-get edit :end) (plist-get edit :text)))
                                 (plist-get params :edits)))))
           (setq done (cons (plist-get params :op) (machine-tests-write base edits)))
           (push done machine-tests-ops)))
       (machine-tests-outcome (cdr done))))))

(cl-defstruct machine-tests-editor "A machine, its text, and its request in flight." machine (text "") (sent nil) (typed nil))

(defun machine-tests-tell (editor event now)
  "Pass EVENT to the machine of EDITOR at NOW, and run the actions that it returns."
  (let ((m (machine-tests-editor-machine editor)))
    (machine-tests-do editor (funcall event m (machine-tests-editor-text editor) now))
    (machine-tests-do editor (notesd-machine-flush m (machine-tests-editor-text editor) now))))

(defun machine-tests-do (editor actions)
  "Do ACTIONS in EDITOR."
  (dolist (action actions)
    (pcase action
      (`(edit ,edits) (setf (machine-tests-editor-text editor)
                            (notesd-edits-apply (machine-tests-editor-text editor) edits)))
      (`(send . ,request)
       (should-not (machine-tests-editor-sent editor))
       (setf (machine-tests-editor-sent editor) request))
      (`(both ,_) (ert-fail "a text was given up")))))

(defun machine-tests-type (editor character now)
  "Type CHARACTER into EDITOR somewhere at NOW."
  (let* ((text (machine-tests-editor-text editor)) (at (random (1+ (length text))))
         (edit (list at at (string character))))
    (push character (machine-tests-editor-typed editor))
    (setf (machine-tests-editor-text editor) (notesd-edits-apply text (list edit)))
    (machine-tests-tell editor (lambda (m _ now) (notesd-machine-changed m edit now) nil) now)))

(defun machine-tests-answer (editor now)
  "Answer the request of EDITOR at NOW, if there is one."
  (let ((request (cl-shiftf (machine-tests-editor-sent editor) nil)))
    (when request
      (let ((result (apply #'machine-tests-ask request)))
        (machine-tests-tell editor (lambda (m text now) (notesd-machine-answer m result text now)) now)))))

(defun machine-tests-hang-up (editor now)
  "Break the connection of EDITOR at NOW, after its request was applied or before."
  (let ((request (cl-shiftf (machine-tests-editor-sent editor) nil)))
    (when (and request (zerop (random 2))) (apply #'machine-tests-ask request))
    (machine-tests-tell editor (lambda (m _ _) (notesd-machine-disconnected m)) now)
    (when (zerop (random 2)) (machine-tests-type editor (+ #xac00 (cl-incf machine-tests-number)) now))
    (machine-tests-tell editor #'notesd-machine-connected now)))

(defun machine-tests-line (editor base now)
  "Send EDITOR at NOW the changes of the note since BASE."
  (let ((note (list :version (caar machine-tests-main) :base base :conflicts nil
                    :bytes (string-bytes (nth 1 (car machine-tests-main)))
                    :edits (machine-tests-wire (cdr (machine-tests-since base))))))
    (machine-tests-tell editor (lambda (m text now) (notesd-machine-line m note text now)) now)))

(ert-deftest machines-agree-and-lose-nothing ()
  (laws-for-seeds 3
    (let* ((now 0) (text "one\ntwo\n") (machine-tests-number 0) (machine-tests-own nil) (machine-tests-ops nil)
           (machine-tests-main (list (list "v0" text nil)))
           (editors (cl-loop repeat 3 collect
                             (make-machine-tests-editor
                              :text text :machine (notesd-machine-make (list :id "n" :name "n" :version "v0" :text text)
                                                                       (lambda () (machine-tests-name "op")))))))
      (dotimes (_ (random 60))
        (let ((editor (laws-pick editors)))
          (cl-incf now (laws-pick '(0 0 1 20)))
          (pcase (laws-pick '(type type type answer answer line line hang-up))
            ('type (machine-tests-type editor (+ #x4e00 (cl-incf machine-tests-number)) now))
            ('answer (machine-tests-answer editor now))
            ('line (machine-tests-line editor (car (laws-pick machine-tests-main)) now))
            ('hang-up (machine-tests-hang-up editor now)))))
      (dotimes (_ 3)
        (dolist (editor editors)
          (machine-tests-line editor (caar machine-tests-main) now)
          (while (machine-tests-editor-sent editor) (machine-tests-answer editor now))))
      (let ((shown (nth 1 (car machine-tests-main))))
        (dolist (editor editors)
          (should (equal shown (machine-tests-editor-text editor)))
          (should (notesd-machine-durable-p (machine-tests-editor-machine editor) shown))
          (dolist (character (machine-tests-editor-typed editor))
            (should (= 1 (cl-count character shown)))))))))

(defun machine-tests-machine (&optional text)
  "Return a machine on TEXT."
  (notesd-machine-make (list :id "n" :name "n" :version "r:1" :text (or text "one\n")) (lambda () "op")))

(ert-deftest machine-composes-no-change-in-the-hook ()
  "A command of many changes costs no composition; up to a limit, the changes are sent as made."
  (let* ((count 150) (text (apply #'concat (cl-loop repeat count collect "a word\n")))
         (m (notesd-machine-make (list :id "n" :version "v" :text text) (lambda () "op")))
         (compose (symbol-function 'notesd-edits-compose)) (calls 0) (now text))
    (cl-letf (((symbol-function 'notesd-edits-compose)
               (lambda (&rest lists) (cl-incf calls) (apply compose lists))))
      (dotimes (line count)
        (let ((edit (list (+ 2 (* 8 line)) (+ 6 (* 8 line)) "words")))
          (setq now (notesd-edits-apply now (list edit)))
          (notesd-machine-changed m edit 0)))
      (should (= calls 0))
      (let ((sent (plist-get (nth 2 (assq 'send (notesd-machine-flush m now 0))) :edits)))
        (should (= calls count))
        (should (= (length sent) count))
        (should (equal (aref sent 149) (list :start (+ 2 (* 149 7)) :end (+ 6 (* 149 7)) :text "words")))))))

(ert-deftest machine-compares-after-many-changes ()
  "A command of thousands of changes composes nothing, and what is sent stays within its lines."
  (let* ((text (apply #'concat (cl-loop for line below 3000 collect (format "a word in line %d\n" line))))
         (m (notesd-machine-make (list :id "n" :version "v" :text text) (lambda () "op"))))
    (cl-letf (((symbol-function 'notesd-edits-compose) (lambda (&rest _) (error "Composed"))))
      (dotimes (line 3000) (notesd-machine-changed m (list (* 7 line) (* 7 line) "x") 0))
      (let* ((now (string-replace "word" "sentence" text))
             (sent (plist-get (nth 2 (assq 'send (notesd-machine-flush m now 0))) :edits)))
        (should (= (length sent) 3000))
        (should (seq-every-p (lambda (edit)
                               (not (string-search "\n" (substring text (plist-get edit :start) (plist-get edit :end)))))
                             sent))))))

(ert-deftest machine-sends-one-write-at-a-time ()
  (let ((m (machine-tests-machine)))
    (notesd-machine-changed m '(0 0 "X") 0)
    (should (equal (cdar (notesd-machine-flush m "Xone\n" 0))
                   '("note.edit" (:id "n" :base "r:1" :op "op" :edits [(:start 0 :end 0 :text "X")]))))
    (should-not (notesd-machine-flush m "XYone\n" 0))
    (should-not (notesd-machine-durable-p m "Xone\n"))))

(ert-deftest machine-sends-all-of-what-was-held-too-long ()
  (let ((m (machine-tests-machine)))
    (notesd-machine-changed m '(0 0 "X") 0)
    (should (equal (cdar (notesd-machine-flush m "Xone\n" 11))
                   '("note.save" (:id "n" :base "r:1" :op "op" :text "Xone\n"))))))

(ert-deftest machine-says-the-same-again-on-a-new-connection ()
  (let* ((m (machine-tests-machine)) (sent (car (notesd-machine-flush m "Xone\n" 0))))
    (notesd-machine-disconnected m)
    (should (equal sent (car (notesd-machine-connected m "XYone\n" 1))))
    (notesd-machine-answer m '(:version "r:2") "XYone\n" 2)
    (should (equal (cdar (notesd-machine-flush m "XYone\n" 2))
                   '("note.save" (:id "n" :base "r:2" :op "op" :text "XYone\n"))))))

(ert-deftest machine-goes-back-to-what-the-daemon-knows ()
  (let ((m (machine-tests-machine)))
    (notesd-machine-flush m "Xone\n" 0)
    (notesd-machine-answer m '(:version "r:2") "Xone\n" 0)
    (notesd-machine-flush m "XYone\n" 0)
    ;; The machine asks whether the daemon has that version unchanged.
    (should (equal (cdar (notesd-machine-failed m '(:kind "unknown_base") "XYone\n"))
                   '("note.get" (:id "n" :at "r:1"))))
    (notesd-machine-answer m '(:note (:version "r:1" :text "one\n")) "XYone\n" 1)
    (should (equal (cdar (notesd-machine-flush m "XYone\n" 1))
                   '("note.save" (:id "n" :base "r:1" :op "op" :text "XYone\n"))))
    (should (equal (seq-take (assq 'both (notesd-machine-failed m '(:kind "unknown_base") "XYone\n")) 2)
                   '(both "XYone\n")))))

(ert-deftest machine-does-not-go-back-to-another-text-of-that-name ()
  (let ((m (machine-tests-machine)))
    (dolist (version '("r:2" "r:3"))
      (let ((text (concat version "one\n")))
        (notesd-machine-flush m text 0)
        (notesd-machine-answer m (list :version version) text 0)))
    (notesd-machine-flush m "Xone\n" 0)
    (notesd-machine-failed m '(:kind "unknown_base") "Xone\n")
    (should (equal (cdar (notesd-machine-answer m '(:note (:version "r:2" :text "other\n")) "Xone\n" 1))
                   '("note.get" (:id "n" :at "r:1"))))
    (should (equal (assq 'both (notesd-machine-failed m '(:kind "revision_gone") "Xone\n"))
                   '(both "Xone\n")))))

(ert-deftest machine-does-not-send-again-what-is-too-large ()
  (let ((m (machine-tests-machine)))
    (notesd-machine-flush m "large\n" 0)
    (should-not (assq 'wait (notesd-machine-failed m '(:kind "note_too_large" :message "too large") "large\n")))
    (should-not (notesd-machine-flush m "large\n" 1))
    (should (equal (cdar (notesd-machine-flush m "small\n" 2))
                   '("note.save" (:id "n" :base "r:1" :op "op" :text "small\n"))))
    (notesd-machine-failed m '(:kind "note_too_large" :message "too large") "small\n")
    ;; The machine tries again if the user insists or the daemon may be another one.
    (notesd-machine-retry m)
    (should (eq 'send (caar (notesd-machine-flush m "small\n" 3))))
    (notesd-machine-failed m '(:kind "note_too_large" :message "too large") "small\n")
    (notesd-machine-disconnected m)
    (should (eq 'offline (notesd-machine-phase m)))
    (should-not (notesd-machine-flush m "smaller\n" 4))
    (should (eq 'send (caar (notesd-machine-connected m "smaller\n" 5))))))

(ert-deftest machine-brings-a-note-back-when-nothing-else-is-under-way ()
  (let ((m (machine-tests-machine)) (deleted '(:note (:version "r:9" :deleted t :text ""))))
    (setf (notesd-machine-behind m) t)
    (notesd-machine-flush m "one\n" 0)
    (notesd-machine-answer m deleted "one\n" 0)
    (setf (notesd-machine-behind m) t)
    (notesd-machine-flush m "one\n" 0)
    (notesd-machine-restore m)
    (should-not (notesd-machine-flush m "one\n" 0))
    (should-not (notesd-machine-durable-p m "one\n"))
    (notesd-machine-answer m deleted "one\n" 0)
    (should (equal (cdar (notesd-machine-flush m "one\n" 0))
                   '("note.save" (:id "n" :base "r:9" :op "op" :text "one\n" :name "n"))))
    (notesd-machine-disconnected m)
    (should (eq 'send (caar (notesd-machine-connected m "one\n" 1))))
    (should-not (notesd-machine-durable-p m "one\n"))
    (notesd-machine-answer m '(:version "r:10") "one\n" 1)
    (should (notesd-machine-durable-p m "one\n"))
    (should (eq 'live (notesd-machine-phase m)))))

(ert-deftest machine-holds-what-is-typed-offline-on-a-deleted-note ()
  (let ((m (machine-tests-machine)))
    (setf (notesd-machine-behind m) t)
    (notesd-machine-flush m "one\n" 0)
    (notesd-machine-answer m '(:note (:version "r:9" :deleted t :text "")) "one\n" 0)
    (notesd-machine-disconnected m)
    (should-not (notesd-machine-flush m "Xone\n" 0))
    (should (equal (cdar (notesd-machine-connected m "Xone\n" 1))
                   '("note.save" (:id "n" :base "r:1" :op "op" :text "Xone\n"))))))

(ert-deftest machine-sends-nothing-that-no-note-can-have ()
  (let ((m (machine-tests-machine)))
    (should (eq 'tell (caar (notesd-machine-flush m "a\0" 0))))
    (should-not (notesd-machine-flush m "a\0" 1))
    (should (eq 'send (caar (notesd-machine-flush m "ab" 2)))))
  (let ((m (machine-tests-machine)))
    (notesd-machine-flush m "one\n\0" 0)
    (should (notesd-machine-problem m))
    (notesd-machine-flush m "one\n" 1)
    (should-not (notesd-machine-problem m))))

(provide 'machine-tests)
;;; machine-tests.el ends here
