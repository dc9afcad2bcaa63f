;;; notesd-rpc.el --- The connection to the daemon -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; One connection for all buffers: lines of JSON-RPC over a Unix socket, as in
;; the protocol.  A lost connection is made again automatically, after delays
;; that grow to `notesd-rpc-wait-max' seconds.  Only `notesd-rpc-ask',
;; `notesd-rpc-call' and `notesd-rpc-await-connection' wait for the daemon, and
;; the user can quit them.

;;; Code:

(require 'cl-lib)
(require 'subr-x)
(require 'notesd-message)

(defgroup notesd nil
  "Notes that many editors write at once."
  :group 'text
  :prefix "notesd-")

(defcustom notesd-socket nil
  "Path of the daemon's socket, or nil to find it.
If nil, use the environment variable NOTESD_SOCKET, or the socket of the user's
own daemon in XDG_RUNTIME_DIR (if that is not set, in ~/.local/state), or that
of the shared daemon in /run/notesd."
  :type '(choice (const :tag "Find it" nil) file))

(defcustom notesd-label nil
  "Label that others see on your changes; nil means this machine and Emacs."
  :type '(choice (const :tag "This machine and Emacs" nil) string))

(defcustom notesd-timeout 5
  "How many seconds a command waits for a response from the daemon."
  :type 'number)

(defconst notesd-rpc-version "0.1.0" "The version of this client.")
(defconst notesd-rpc-wait-max 5 "Maximum number of seconds between two attempts to connect.")
(defconst notesd-rpc-large-min 65536
  "Size in bytes from which a line is sent only after the daemon answers a ping.
Emacs blocks while a socket does not accept what it sends.")

(defvar notesd-rpc-connected-functions nil "Functions called without arguments after each hello.")
(defvar notesd-rpc-disconnected-functions nil "Functions called without arguments after losing a connection.")
(defvar notesd-rpc-notification-functions nil "Functions called with method and params of each notification.")

(defvar notesd-rpc--process nil "The connection, or nil.")
(defvar notesd-rpc--hello nil "The daemon's response to hello, or nil before it.")
(defvar notesd-rpc--chunks nil "The parts of an incomplete line, the last one first.")
(defvar notesd-rpc--callbacks (make-hash-table) "Callbacks for result and error, by request id.")
(defvar notesd-rpc--next-id 0 "The id of the last request.")
(defvar notesd-rpc--waiting nil "Lines to send when the daemon has answered a ping, in order.")
(defvar notesd-rpc--wanted nil "Whether to keep a connection.")
(defvar notesd-rpc--timer nil "Timer for the next attempt to connect, or nil.")
(defvar notesd-rpc--wait 0 "Length of the last delay before connecting, in seconds.")
(defvar notesd-rpc--retry-after nil
  "Delay in seconds that a stopping daemon asked for, or nil.")

(defun notesd-rpc--socket-in-state (state)
  "Return the user's own socket in the directory STATE.
Return nil if it does not exist, or if others could have made it."
  (let* ((path (expand-file-name "notesd/notesd.sock" state))
         (folder (directory-file-name (file-name-directory path))))
    (and (file-exists-p path)
         (eql (file-attribute-user-id (file-attributes folder)) (user-uid))
         (zerop (logand (file-modes folder) #o077))
         path)))

(defun notesd-rpc-socket ()
  "Return the path of the daemon's socket."
  (cl-flet ((said (variable) (let ((value (getenv variable))) (and (not (member value '(nil ""))) value))))
    (let* ((runtime (said "XDG_RUNTIME_DIR"))
           (own (if runtime (expand-file-name "notesd/notesd.sock" runtime)
                  (notesd-rpc--socket-in-state (or (said "XDG_STATE_HOME") "~/.local/state"))))
           (shared "/run/notesd/notesd.sock"))
      (or notesd-socket (said "NOTESD_SOCKET")
          (if (and own (or (file-exists-p own) (not (file-exists-p shared)))) own shared)))))

(defun notesd-rpc-connected-p ()
  "Return whether the daemon has answered hello."
  (and notesd-rpc--hello t))

(defun notesd-rpc-capable-p (capability)
  "Return whether the daemon has CAPABILITY."
  (member capability (plist-get notesd-rpc--hello :capabilities)))

(defun notesd-rpc-label ()
  "Return the label that others see on changes made here."
  (or notesd-label (format "%s/emacs" (system-name))))

(defun notesd-rpc-bytes-p ()
  "Return whether offsets on this connection count bytes, not characters."
  (not (equal (plist-get notesd-rpc--hello :positionEncoding) "utf-32")))

(defun notesd-rpc-dependent ()
  "Return the daemon's number for this connection."
  (plist-get notesd-rpc--hello :dependent))

;;; Connecting

(defun notesd-rpc-connect ()
  "Connect now, or keep trying until it works.
Return whether connecting worked at once; hello may not be answered yet."
  (setq notesd-rpc--wanted t)
  (unless (json-available-p)
    (error "This Emacs was built without JSON, which notesd needs"))
  (or (process-live-p notesd-rpc--process)
      (condition-case nil
          (progn (notesd-rpc--open) t)
        (file-error (notesd-rpc--again) nil))))

(defun notesd-rpc-disconnect ()
  "Close the connection and do not reconnect."
  (setq notesd-rpc--wanted nil)
  (when notesd-rpc--timer (cancel-timer notesd-rpc--timer) (setq notesd-rpc--timer nil))
  (when notesd-rpc--process (delete-process notesd-rpc--process)))

(defun notesd-rpc--open ()
  "Connect, and send hello.  Signal `file-error' if that fails."
  (when notesd-rpc--timer (cancel-timer notesd-rpc--timer) (setq notesd-rpc--timer nil))
  (setq notesd-rpc--chunks nil notesd-rpc--waiting nil
        notesd-rpc--process
        (make-network-process :name "notesd" :family 'local :service (notesd-rpc-socket)
                              :coding 'no-conversion :noquery t
                              :filter #'notesd-rpc--filter :sentinel #'notesd-rpc--sentinel))
  (let ((process notesd-rpc--process))
    (notesd-rpc-send
     "session.hello"
     (list :protocol [1] :client (list :name "notesd.el" :version notesd-rpc-version)
           :label (notesd-rpc-label)
           :positionEncoding ["utf-32" "utf-8"])
     (lambda (result failure)
       (cond
        ((not (eq process notesd-rpc--process)))
        (failure
         (notesd-message "notesd: %s" (plist-get failure :message))
         (delete-process process))
        (t (setq notesd-rpc--hello result notesd-rpc--wait 0)
           (notesd-rpc--run 'notesd-rpc-connected-functions)))))))

(defun notesd-rpc--run (hook)
  "Call the functions of HOOK; an error in one does not stop the others."
  (run-hook-wrapped hook (lambda (function) (notesd-rpc--guard function) nil)))

(defun notesd-rpc--again ()
  "Reconnect after a delay, or after the delay that the daemon asked for."
  (when (and notesd-rpc--wanted (not notesd-rpc--timer))
    (setq notesd-rpc--wait (min notesd-rpc-wait-max (if (> notesd-rpc--wait 0) (* 2 notesd-rpc--wait) 0.05)))
    (setq notesd-rpc--timer
          (run-with-timer (or (cl-shiftf notesd-rpc--retry-after nil)
                              (* notesd-rpc--wait (+ 0.75 (/ (random 500) 1000.0))))
                          nil
                          (lambda ()
                            (setq notesd-rpc--timer nil)
                            (when notesd-rpc--wanted (notesd-rpc-connect)))))))

(defun notesd-rpc--sentinel (process _event)
  "Handle the end of the connection PROCESS."
  (when (and (eq process notesd-rpc--process) (not (process-live-p process)))
    (notesd-rpc--lost)))

(defun notesd-rpc--lost ()
  "Notify everybody of the loss of the connection, and reconnect."
  (let ((callbacks notesd-rpc--callbacks) (had notesd-rpc--hello))
    (setq notesd-rpc--process nil notesd-rpc--hello nil notesd-rpc--chunks nil
          notesd-rpc--waiting nil notesd-rpc--callbacks (make-hash-table))
    ;; Do this first, so that no error below can prevent it.
    (notesd-rpc--again)
    (when had (notesd-rpc--run 'notesd-rpc-disconnected-functions))
    (maphash (lambda (_ callback)
               (notesd-rpc--guard callback nil (list :kind "disconnected" :retryable t
                                                     :message "The connection to the daemon was lost")))
             callbacks)))

;;; Sending

(defun notesd-rpc-send (method params &optional callback)
  "Send a request for METHOD with PARAMS, a plist.
Call CALLBACK once with the result and nil, or with nil and a failure, a plist
of :kind, :code, :message, :retryable and the other members of the error's data.
Without a connection, return nil and never call CALLBACK.  Signal an error if
PARAMS cannot be represented in JSON."
  (when (process-live-p notesd-rpc--process)
    (let* ((id (cl-incf notesd-rpc--next-id))
           (line (notesd-rpc--line (append (list :jsonrpc "2.0" :id id :method method)
                                           (and params (list :params params))))))
      (puthash id (or callback #'ignore) notesd-rpc--callbacks)
      (cond
       (notesd-rpc--waiting (setq notesd-rpc--waiting (nconc notesd-rpc--waiting (list line))))
       ((< (length line) notesd-rpc-large-min) (notesd-rpc--write line))
       (t
        (setq notesd-rpc--waiting (list line))
        (let ((ping (cl-incf notesd-rpc--next-id)))
          (puthash ping (lambda (_ failure)
                          (unless failure
                            (let ((lines (cl-shiftf notesd-rpc--waiting nil)))
                              (mapc #'notesd-rpc--write lines))))
                   notesd-rpc--callbacks)
          (notesd-rpc--write (notesd-rpc--line (list :jsonrpc "2.0" :id ping :method "session.ping"))))))
      id)))

(defun notesd-rpc-notify (method params)
  "Send a notification of METHOD with PARAMS, if that is possible at once."
  (when (and notesd-rpc--hello (not notesd-rpc--waiting) (process-live-p notesd-rpc--process))
    (notesd-rpc--write (notesd-rpc--line (list :jsonrpc "2.0" :method method :params params)))))

(defun notesd-rpc--line (object)
  "Return OBJECT as a line of bytes."
  (let ((json (json-serialize object)))
    (concat (if (multibyte-string-p json) (encode-coding-string json 'utf-8-unix t) json) "\n")))

(defun notesd-rpc--write (line)
  "Write LINE.  The sentinel handles a failure of the connection."
  (condition-case nil
      (process-send-string notesd-rpc--process line)
    (error (when (process-live-p notesd-rpc--process)
             (delete-process notesd-rpc--process)))))

(defun notesd-rpc-ask (method params)
  "Send METHOD with PARAMS, and return its response as (RESULT FAILURE).
Retry a transient failure for `notesd-timeout' seconds, so a write needs an op.
Meanwhile, go on processing messages for buffers."
  (let ((until (time-add nil notesd-timeout)) (answer nil) (sent nil))
    (while (and (time-less-p nil until)
                (not (and answer (not (plist-get (cadr answer) :retryable))
                          (not (equal (plist-get (cadr answer) :kind) "internal")))))
      (cond
       ((not (notesd-rpc-connected-p)) (setq sent nil) (notesd-rpc-await-connection until))
       ((or (not sent) answer)
        (when answer (sleep-for 0.05))
        (setq answer nil
              sent (notesd-rpc-send method params
                                    (lambda (result failure) (setq answer (list result failure)))))))
      (unless answer (accept-process-output nil 0.05)))
    (or answer (user-error "The daemon does not answer"))))

(defun notesd-rpc-call (method params)
  "Return the result of METHOD with PARAMS; signal an error if it fails.
Otherwise like `notesd-rpc-ask'."
  (pcase-let ((`(,result ,failure) (notesd-rpc-ask method params)))
    (when failure (user-error "%s" (plist-get failure :message)))
    result))

(defun notesd-rpc-await-connection (&optional until)
  "Wait for a connection, for `notesd-timeout' seconds or until time UNTIL.
Signal an error if there is none by then.  If no daemon is listening and UNTIL
is nil, do not wait."
  (unless (or (notesd-rpc-connect) notesd-rpc--hello until)
    (user-error "No notes daemon at %s; start it, or set `notesd-socket'" (notesd-rpc-socket)))
  (let ((until (or until (time-add nil notesd-timeout))))
    (while (and (not notesd-rpc--hello) (time-less-p nil until))
      (accept-process-output nil 0.05))
    (unless notesd-rpc--hello
      (user-error "The notes daemon at %s does not answer" (notesd-rpc-socket)))))

;;; Receiving

(defun notesd-rpc--filter (process output)
  "Collect OUTPUT of PROCESS, in pieces of any size, and act on whole lines."
  (when (eq process notesd-rpc--process)
    (let ((from 0) end)
      (while (and (setq end (string-search "\n" output from)) (eq process notesd-rpc--process))
        (push (substring output from end) notesd-rpc--chunks)
        (let ((line (apply #'concat (nreverse (cl-shiftf notesd-rpc--chunks nil)))))
          (setq from (1+ end))
          (unless (string-blank-p line) (notesd-rpc--receive line))))
      (when (eq process notesd-rpc--process)
        (push (substring output from) notesd-rpc--chunks)))))

(defun notesd-rpc--receive (line)
  "Act on LINE, a string of bytes."
  (let ((object (condition-case nil
                    (json-parse-string (decode-coding-string line 'utf-8-unix t) :object-type 'plist
                                       :array-type 'list :null-object nil :false-object nil)
                  (error nil))))
    (cond
     ((not (and (consp object) (keywordp (car object))))
      (notesd-message "notesd: the daemon sent a line that is not a JSON object; reconnecting")
      (delete-process notesd-rpc--process))
     ((plist-get object :method)
      (when (equal (plist-get object :method) "session.closing")
        (let ((after (plist-get (plist-get object :params) :retryAfterMs)))
          (setq notesd-rpc--wait 0
                notesd-rpc--retry-after (and (natnump after) (/ after 1000.0)))))
      (dolist (function notesd-rpc-notification-functions)
        (notesd-rpc--guard function (plist-get object :method) (plist-get object :params))))
     (t
      (let* ((id (plist-get object :id)) (callback (and id (gethash id notesd-rpc--callbacks)))
             (failure (plist-get object :error)))
        (cond
         (callback
          (remhash id notesd-rpc--callbacks)
          (notesd-rpc--guard callback (plist-get object :result)
                             (and failure (append (list :code (plist-get failure :code)
                                                        :message (or (plist-get failure :message) "refused"))
                                                  (plist-get failure :data)))))
         ;; It is unknown which request this is for, so reconnect and resend all.
         (failure
          (notesd-message "notesd: %s; reconnecting" (plist-get failure :message))
          (delete-process notesd-rpc--process))))))))

(defun notesd-rpc--guard (function &rest arguments)
  "Call FUNCTION with ARGUMENTS, and report an error as a message."
  (condition-case-unless-debug problem
      (apply function arguments)
    (error (notesd-message "notesd: %s" (error-message-string problem)))))

(provide 'notesd-rpc)
;;; notesd-rpc.el ends here
