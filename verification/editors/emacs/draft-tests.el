;;; draft-tests.el --- Drafts on disk -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'notesd-draft)
(require 'notesd-trouble)

(defmacro draft-tests-in-folder (&rest body)
  "Run BODY with a separate folder for drafts, and `m', a machine on a note."
  `(let* ((notesd-draft-directory (file-name-as-directory (make-temp-file "notesd-drafts" t)))
          (notesd-draft--written nil)
          (m (notesd-machine-make '(:id "n1" :name "n" :version "r:1" :text "one\n") (lambda () "op"))))
     (unwind-protect (progn ,@body)
       (delete-directory notesd-draft-directory t))))

(defun draft-tests-files ()
  "Return the names of the files in the folder."
  (directory-files notesd-draft-directory nil "[^.]"))

(ert-deftest draft-comes-back-as-it-was ()
  (dolist (text (list "two\n" "" "\0" "é日👍\r\n" (concat "a" (string-to-multibyte "\351") "b") (string #xd800 ?x)))
    (draft-tests-in-folder
     (notesd-draft-write m text)
     (should (= 1 (length (draft-tests-files))))
     (let ((draft (notesd-draft-read "n1")))
       (should (equal text (plist-get draft :text)))
       (should (equal "r:1" (plist-get draft :version)))
       (should (= 0 (plist-get draft :more))))
     (notesd-draft-remove m)
     (should-not (draft-tests-files)))))

(ert-deftest draft-has-the-write-that-was-not-answered ()
  (draft-tests-in-folder
   (let ((sent (car (notesd-machine-flush m "Xone\n" 0))))
     (notesd-draft-write m "XYone\n")
     (let ((next (notesd-machine-make '(:id "n1" :name "n" :version "r:1" :text "one\n") (lambda () "other"))))
       (notesd-draft-take next (notesd-draft-read "n1"))
       (should (equal (format "%S" sent) (format "%S" (car (notesd-machine-connected next "XYone\n" 0)))))))))

(ert-deftest draft-of-an-emacs-that-runs-is-left ()
  (draft-tests-in-folder
   (notesd-draft-write m "two\n")
   (let* ((own (car (draft-tests-files))) (another (start-process "another" nil "sleep" "100"))
          (running (notesd-draft--process (process-id another)))
          (reused (replace-regexp-in-string "-[0-9]+-" "-1-" running))
          (at (lambda (name) (expand-file-name name notesd-draft-directory))))
     (unwind-protect
         (progn
           (rename-file (funcall at own) (funcall at (format "n1.%s.json" running)))
           (should-not (notesd-draft-read "n1"))
           ;; The process number was reused since, or the machine was restarted.
           (dolist (gone (list reused (replace-regexp-in-string "-[^-]*\\'" "-00000000" running)))
             (rename-file (funcall at (car (draft-tests-files))) (funcall at (format "n1.%s.json" gone)))
             (should (equal "two\n" (plist-get (notesd-draft-read "n1") :text))))
           (notesd-draft-own (notesd-draft-read "n1"))
           (should (equal (draft-tests-files) (list own))))
       (delete-process another)))))

(ert-deftest draft-of-this-emacs-comes-before-those-of-others ()
  (draft-tests-in-folder
   (make-directory notesd-draft-directory t)
   (dolist (process '("1-1-00000000" "99999999-1-00000000"))
     (write-region "{\"version\":\"r:1\",\"text\":\"others\"}" nil (notesd-draft--file "n1" process) nil 'silent))
   (notesd-draft-write m "own")
   (should (equal "own" (plist-get (notesd-draft-read "n1") :text)))
   (should (= 2 (plist-get (notesd-draft-read "n1") :more)))
   (notesd-draft-own (notesd-draft-read "n1"))
   (should (= 3 (length (draft-tests-files))))))

(provide 'draft-tests)
;;; draft-tests.el ends here
