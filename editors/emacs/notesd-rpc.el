;;; notesd-rpc.el --- The program that talks to the daemon -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Runs `notesctl attach', one for all buffers, and exchanges lines of JSON-RPC
;; with it.  If that ends, it is started again after delays that grow to
;; `notesd-rpc-wait-max' seconds.  Only `notesd-rpc-ask' and `notesd-rpc-call' wait
;; for it, and the user can quit them.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'notesd-message)

(defgroup notesd nil
  "Notes that many editors write at once."
  :group 'text
  :prefix "notesd-")

(defcustom notesd-command '("notesctl" "attach" "--stdio")
  "The program that talks to the daemon, with its arguments."
  :type '(repeat string))

(defcustom notesd-socket nil
  "Path of the daemon's socket, or nil to find it as notesctl does."
  :type '(choice (const :tag "Find it" nil) file))

(defcustom notesd-label nil
  "Label that others see on your changes; nil means this machine and Emacs.
To tell several Emacsen apart, others see some digits after it."
  :type '(choice (const :tag "This machine and Emacs" nil) string))

(defcustom notesd-timeout 5
  "How many seconds a command waits for a response from the daemon."
  :type 'number)

(defconst notesd-rpc-version "0.1.0" "The version of this client.")
(defconst notesd-rpc-wait-max 5 "Maximum number of seconds between two starts of the program.")

(defvar notesd-rpc-connected-functions nil "Functions called without arguments when the program has started.")
(defvar notesd-rpc-disconnected-functions nil "Functions called without arguments when the program has ended.")
(defvar notesd-rpc-notification-functions nil "Functions called with method and params of each notification.")

(defvar notesd-rpc-writer nil "The name that the first program chose for this Emacs, or nil.")
(defvar notesd-rpc-up nil "Whether the daemon answers.")
(defvar notesd-rpc-daemon nil "What the daemon is: a plist of :user, :access, :store and :capabilities.")
(defvar notesd-rpc-was-up nil "Whether the daemon has ever answered.")
(defvar notesd-rpc--process nil "The program, or nil.")
(defvar notesd-rpc--greeted nil "Whether the program has answered attach.hello.")
(defvar notesd-rpc--next-id 0 "The id of the last request.")
(defvar notesd-rpc--timer nil "Timer for the next start, or nil.")
(defvar notesd-rpc--wait 0 "Number of seconds before the last start.")

(defun notesd-rpc-label ()
  "Return the label that others see on changes made here, without the writer."
  (or notesd-label (format "%s/emacs" (system-name))))

(defun notesd-rpc-connected-p ()
  "Return whether the daemon answers."
  (and notesd-rpc--greeted notesd-rpc-up))

;;; Starting and ending

(defun notesd-rpc-can (capability)
  "Return whether the daemon has CAPABILITY, a string."
  (member capability (plist-get notesd-rpc-daemon :capabilities)))

(defun notesd-rpc--start (greeted)
  "Start the program and return its process.
Call GREETED with result and failure of attach.hello.  Signal `file-error' if it
does not start."
  (unless (json-available-p) (error "This Emacs was built without JSON, which notesd needs"))
  (let* ((default-directory "/")
         (process
          (make-process :name "notesd"
                        :command (append notesd-command (and notesd-socket (list "--socket" (expand-file-name notesd-socket))))
                        :coding 'no-conversion :connection-type 'pipe :noquery t
                        :stderr (make-pipe-process :name "notesd-errors" :noquery t :sentinel #'ignore
                                                   :filter (lambda (_ text) (notesd-message "notesd: %s" (string-trim text))))
                        :filter #'notesd-rpc--filter :sentinel #'notesd-rpc--sentinel)))
    ;; Callbacks for result and failure, by the id of the request.
    (process-put process 'callbacks (make-hash-table))
    (notesd-rpc-send
     "attach.hello"
     (append (list :protocol [1] :client (list :name "notesd.el" :version notesd-rpc-version)
                   :label (notesd-rpc-label) :positions "utf-32")
             (and notesd-rpc-writer (list :writer notesd-rpc-writer)))
     greeted process)
    process))

(defun notesd-rpc-connect ()
  "Start the program, unless it runs.
Signal `file-error' if that fails."
  (unless (process-live-p notesd-rpc--process)
    (when notesd-rpc--timer (cancel-timer (cl-shiftf notesd-rpc--timer nil)))
    (let ((process nil))
      (setq process (notesd-rpc--start
                     (lambda (result failure)
                       (cond ((not (eq process notesd-rpc--process)))
                             (failure (notesd-message "notesd: %s" (plist-get failure :message)))
                             (t (setq notesd-rpc--greeted t)
                                (notesd-rpc--set-up (and (plist-get result :daemon) result))
                                (notesd-rpc--run 'notesd-rpc-connected-functions)))))
            notesd-rpc--process process))))

(defun notesd-rpc--notified (method params)
  "Handle the notification METHOD with PARAMS."
  (when (equal method "attach.daemon") (notesd-rpc--set-up (and (plist-get params :up) params)))
  (dolist (function notesd-rpc-notification-functions)
    (notesd-rpc--guard function method params)))

(defun notesd-rpc--set-up (daemon)
  "Record that DAEMON, a plist, answers, or that it does not if that is nil."
  (setq notesd-rpc-up (and daemon t))
  (when daemon (setq notesd-rpc-was-up t notesd-rpc-daemon daemon notesd-rpc--wait 0)))

(defun notesd-rpc-disconnect ()
  "End the program after it has sent everything, and do not start it again."
  (when notesd-rpc--timer (cancel-timer (cl-shiftf notesd-rpc--timer nil)))
  (setq notesd-rpc--greeted nil notesd-rpc-up nil)
  (when (process-live-p notesd-rpc--process)
    (process-send-eof (cl-shiftf notesd-rpc--process nil))))

(defun notesd-rpc-finish (seconds)
  "End the program, and wait at most SECONDS until it has sent everything.
Emacs signals its programs when it exits, also before they have read everything."
  (let ((process notesd-rpc--process) (until (time-add nil seconds)))
    (notesd-rpc-disconnect)
    (while (and (process-live-p process) (time-less-p nil until))
      (accept-process-output process 0.02))))

(defun notesd-rpc--run (hook)
  "Call the functions of HOOK; an error in one does not stop the others."
  (run-hook-wrapped hook (lambda (function) (notesd-rpc--guard function) nil)))

(defun notesd-rpc--again ()
  "Start the program again after a delay."
  (unless notesd-rpc--timer
    (setq notesd-rpc--wait (min notesd-rpc-wait-max (if (> notesd-rpc--wait 0) (* 2 notesd-rpc--wait) 0.05))
          notesd-rpc--timer
          (run-with-timer notesd-rpc--wait nil
                          (lambda ()
                            (setq notesd-rpc--timer nil)
                            (condition-case problem (notesd-rpc-connect)
                              (file-error (notesd-message "notesd: %s" (error-message-string problem))
                                          (notesd-rpc--again))))))))

(defun notesd-rpc--sentinel (process _event)
  "Handle the end of the program, PROCESS."
  (unless (process-live-p process)
    (when (eq process notesd-rpc--process)
      (setq notesd-rpc--process nil notesd-rpc--greeted nil notesd-rpc-up nil)
      ;; Do this first, so that no error below can prevent it.
      (notesd-rpc--again)
      (notesd-rpc--run 'notesd-rpc-disconnected-functions))
    (dolist (callback (hash-table-values (process-get process 'callbacks)))
      (notesd-rpc--guard callback nil (list :kind "disconnected" :message "notesctl has ended")))))

;;; Sending

(defun notesd-rpc-send (method params &optional callback process)
  "Send METHOD with PARAMS, a plist: a request if there is a CALLBACK.
Call CALLBACK once with the result and nil, or with nil and a failure, a plist
of :kind, :code, :message, :retryable and the other members of the error's data.
Send it to PROCESS, or to the program that runs.  If none runs, return nil and
never call CALLBACK."
  (let ((process (or process notesd-rpc--process)) (id (and callback (cl-incf notesd-rpc--next-id))))
    (when (process-live-p process)
      (when id (puthash id callback (process-get process 'callbacks)))
      (let ((json (json-serialize (append (list :jsonrpc "2.0") (and id (list :id id)) (list :method method :params params)))))
        ;; The sentinel handles the end of the program.
        (ignore-errors
          (process-send-string process
                               (concat (if (multibyte-string-p json) (encode-coding-string json 'utf-8-unix t) json) "\n"))))
      t)))

(defun notesd-rpc-ask (method params &optional then)
  "Send METHOD with PARAMS, and return its response as (RESULT FAILURE).
Call THEN with a result before anything else is received.  Start the program if
needed.  Repeat the request for `notesd-timeout' seconds while the daemon is
away, unless it was never there.  Meanwhile, go on processing messages."
  ;; A new program tries at once whether the daemon is there now.
  (when (and notesd-rpc--greeted (not notesd-rpc-was-up)) (notesd-rpc-disconnect))
  (condition-case problem (notesd-rpc-connect)
    (file-error (user-error "%s; install notesctl, or set `notesd-command'" (error-message-string problem))))
  (let ((until (time-add nil notesd-timeout)) (answer nil) (sent nil))
    (while (and (time-less-p nil until) (not (and answer (not (notesd-rpc--transient-p (cadr answer))))))
      (when answer (sleep-for 0.05))
      (when (or answer (not sent))
        (setq answer nil
              sent (notesd-rpc-send method params
                                    (lambda (result failure)
                                      (setq answer (list result failure))
                                      (when (and then result) (funcall then result))))))
      (unless answer (accept-process-output nil 0.05)))
    (or answer (user-error "The program notesctl does not answer"))))

(defun notesd-rpc--transient-p (failure)
  "Return whether a request that failed with FAILURE may succeed soon."
  (pcase (plist-get failure :kind)
    ("offline" notesd-rpc-was-up)
    ("disconnected" t)
    (_ (plist-get failure :retryable))))

(defun notesd-rpc-call (method params &optional then)
  "Return the result of METHOD with PARAMS; signal an error if it fails.
Otherwise like `notesd-rpc-ask', also with THEN."
  (pcase-let ((`(,result ,failure) (notesd-rpc-ask method params then)))
    (when failure (notesd-rpc-fail failure))
    result))

(defun notesd-rpc-fail (failure)
  "Signal FAILURE as an error for the user."
  (user-error "%s" (if (equal (plist-get failure :kind) "offline")
                       "The notes daemon does not answer; start it, or set `notesd-socket'"
                     (plist-get failure :message))))

;;; Receiving

(defun notesd-rpc--filter (process output)
  "Collect OUTPUT of PROCESS, in pieces of any size, and act on whole lines.
Acting on one may receive more; all keep their order."
  (let ((from 0) (chunks (process-get process 'chunks)) end)
    (while (setq end (string-search "\n" output from))
      (push (substring output from end) chunks)
      (process-put process 'lines (nconc (process-get process 'lines)
                                         (list (apply #'concat (nreverse (cl-shiftf chunks nil))))))
      (setq from (1+ end)))
    (process-put process 'chunks (cons (substring output from) chunks))
    (let (line)
      (while (setq line (car (process-get process 'lines)))
        (process-put process 'lines (cdr (process-get process 'lines)))
        (notesd-rpc--receive process line)))))

(defun notesd-rpc--receive (process line)
  "Act on LINE of PROCESS, a string of bytes."
  (let* ((object (condition-case nil
                     (json-parse-string (decode-coding-string line 'utf-8-unix t) :object-type 'plist
                                        :array-type 'list :null-object nil :false-object nil)
                   (error nil)))
         (id (plist-get object :id)) (failure (plist-get object :error)) (callbacks (process-get process 'callbacks))
         (callback (and id (gethash id callbacks))))
    (cond
     ((plist-get object :method)
      (when (eq process notesd-rpc--process)
        (notesd-rpc--notified (plist-get object :method) (plist-get object :params))))
     (callback
      (remhash id callbacks)
      (notesd-rpc--guard callback (plist-get object :result)
                         (and failure (append (list :code (plist-get failure :code)
                                                    :message (or (plist-get failure :message) "refused"))
                                              (plist-get failure :data)))))
     (t (notesd-message "notesd: %s" (or (plist-get failure :message) "notesctl sent a line that is no message"))))))

(defun notesd-rpc--guard (function &rest arguments)
  "Call FUNCTION with ARGUMENTS, and report an error as a message."
  (condition-case-unless-debug problem
      (apply function arguments)
    (error (notesd-message "notesd: %s" (error-message-string problem)))))

(provide 'notesd-rpc)
;;; notesd-rpc.el ends here
