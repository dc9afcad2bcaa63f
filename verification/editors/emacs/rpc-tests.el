;;; rpc-tests.el --- The daemon's socket, and the delays between connection attempts -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'notesd-rpc)

(defun rpc-tests-socket (there &rest environment)
  "Return the socket chosen in ENVIRONMENT if the files THERE exist."
  (let ((process-environment (append environment '("NOTESD_SOCKET" "XDG_RUNTIME_DIR"))) (notesd-socket nil))
    (cl-letf (((symbol-function 'file-exists-p) (lambda (file) (member file there))))
      (notesd-rpc-socket))))

(ert-deftest rpc-finds-the-socket-as-notesctl-does ()
  (let ((own "/run/user/7/notesd/notesd.sock") (shared "/run/notesd/notesd.sock") (runtime "XDG_RUNTIME_DIR=/run/user/7"))
    (should (equal (rpc-tests-socket nil "NOTESD_SOCKET=/a" runtime) "/a"))
    (should (equal (rpc-tests-socket (list shared) "NOTESD_SOCKET=" runtime) shared))
    (should (equal (rpc-tests-socket (list own shared) runtime) own))
    (should (equal (rpc-tests-socket nil runtime) own))
    (should (equal (rpc-tests-socket nil) shared))))

(ert-deftest rpc-finds-the-socket-in-the-state-directory ()
  (let* ((state (make-temp-file "rpc-tests" t))
         (variable (concat "XDG_STATE_HOME=" state))
         (folder (expand-file-name "notesd" state))
         (own (expand-file-name "notesd.sock" folder))
         (shared "/run/notesd/notesd.sock"))
    (unwind-protect
        (progn
          (with-file-modes #o700 (make-directory folder))
          (should (equal (rpc-tests-socket (list own shared) variable) own))
          (should (equal (rpc-tests-socket (list own) variable "XDG_RUNTIME_DIR=/run/user/7")
                         "/run/user/7/notesd/notesd.sock"))
          (set-file-modes folder #o770)
          (should (equal (rpc-tests-socket (list own shared) variable) shared)))
      (delete-directory state t))))

(defmacro rpc-tests-waits (&rest body)
  "Return the delay in seconds of the next attempt to connect after BODY."
  `(let ((notesd-rpc--wanted t) (notesd-rpc--timer nil) (notesd-rpc--wait 0) (notesd-rpc--retry-after nil) (seconds nil))
     (cl-letf (((symbol-function 'run-with-timer) (lambda (after &rest _) (setq seconds after) nil)))
       ,@body
       (notesd-rpc--again))
     seconds))

(ert-deftest rpc-connects-again-when-the-daemon-says ()
  (should (<= 0.03 (rpc-tests-waits) 0.07))
  (should (<= 3 (rpc-tests-waits (dotimes (_ 20) (notesd-rpc--again))) 7))
  (let ((closing "{\"jsonrpc\":\"2.0\",\"method\":\"session.closing\",\"params\":{\"reason\":\"shutting_down\",\"retryAfterMs\":1500}}"))
    (should (= 1.5 (rpc-tests-waits (notesd-rpc--receive closing))))
    (should (<= 0.03 (rpc-tests-waits (notesd-rpc--receive closing) (notesd-rpc--again) (setq notesd-rpc--wait 0)) 0.07))))

(provide 'rpc-tests)
;;; rpc-tests.el ends here
