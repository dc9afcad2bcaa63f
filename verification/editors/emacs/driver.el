;;; driver.el --- Lets a test drive this Emacs -*- lexical-binding: t; -*-

;;; Commentary:

;; Connects to the socket in NOTESD_TEST_DRIVER, reads one command per line, and answers each.
;; `verification/editors/README.md` lists the commands.  Keys go through the command loop.

;;; Code:

(require 'notesd)
(require 'text-property-search)

(setq notesd-timeout 30)

(defvar driver-pipe nil "The connection to the test.")
(defvar driver-rest "" "The bytes of an incomplete line.")
(defvar driver-log nil "The messages shown to the user, newest first.")
(defvar driver-saving nil "The command that waits for the result of a save: (ID . SINCE).")
(defvar driver-commands nil "The commands not run yet.")

(setq line-move-visual nil)
(put 'upcase-region 'disabled nil)

(defun go-to-line-that-is (line)
  "Go to LINE."
  (interactive "sLine: ")
  (goto-char (point-min))
  (let ((case-fold-search nil)) (re-search-forward (concat "^" (regexp-quote line) "$")))
  (forward-line 0))

(defun replace-regexp-on-line ()
  "Replace some of the text in this line."
  (interactive)
  (with-no-warnings (replace-regexp "o\\| +" "0 " nil (point) (line-end-position))))

(defun fill-line ()
  "Fill this line."
  (interactive)
  (let ((fill-column 10)) (fill-region (line-beginning-position) (line-end-position))))

;; `forward-word' may end in the next line, which may belong to another writer.
(defun forward-word-on-line ()
  "Go to the end of the first word of this line, or of the line."
  (interactive)
  (goto-char (min (line-end-position) (save-excursion (forward-word) (point)))))

(defun kill-word-on-line ()
  "Kill up to the position that `forward-word-on-line' goes to."
  (interactive)
  (kill-region (point) (save-excursion (forward-word-on-line) (point))))

(defun driver-note (text &rest arguments)
  "Record the message TEXT with ARGUMENTS, shown to the user."
  (when text
    (push (list :message (apply #'format-message text arguments)) driver-log)))
(advice-add 'message :before #'driver-note)

(defun driver-answer (id value &optional failure)
  "Answer the command ID with VALUE, or FAILURE."
  (let ((json (json-serialize (append (list :id id :value (if (null value) :null value))
                                      (and failure (list :failure failure))))))
    (process-send-string driver-pipe
                         (concat (if (multibyte-string-p json) (encode-coding-string json 'utf-8-unix t) json)
                                 "\n"))))

(defun driver-buffer ()
  "Return the buffer of the note in the selected window, or of any note, or nil."
  (let ((buffer (window-buffer (selected-window))))
    (if (buffer-local-value 'notesd-sync-note buffer) buffer (car (notesd-sync-buffers)))))

(defun driver-position (bytes)
  "Return the buffer position of the offset BYTES in the note's text."
  (let* ((text (encode-coding-string (notesd-sync-text) 'utf-8-unix)) (bytes (min bytes (length text))))
    (while (and (< 0 bytes (length text)) (= (logand (aref text bytes) #xc0) #x80)) (cl-decf bytes))
    (let ((before (decode-coding-string (substring text 0 bytes) 'utf-8-unix)))
      (1+ (length (if (notesd-note-dos notesd-sync-note)
                      (string-replace "\r\n" "\n" (string-remove-suffix "\r" before))
                    before))))))

(defun driver-state ()
  "Return the state of the note."
  (notesd-sync-flush)
  (let* ((note notesd-sync-note) (text (notesd-sync-text)) (phase (notesd-sync-phase))
         (settled (and (notesd-sync-durable-p) (not (notesd-note-busy note)) (notesd-note-open note)
                       (notesd-rpc-connected-p))))
    (list :text text :shadow (if settled text "") :version (notesd-note-shown note)
          :settled (if settled t :false)
          :status (pcase phase
                    ('live (if settled "synced" "sending"))
                    (phase (symbol-name phase)))
          :modified (if (buffer-modified-p) t :false)
          :row (1- (line-number-at-pos)) :mode "n"
          :col (string-bytes (buffer-substring-no-properties (line-beginning-position) (point))))))

(defun driver-keys (keys)
  "Type KEYS, as `kbd' takes them, as one step for undo."
  (undo-boundary)
  (let ((inhibit-message t))
    (cl-letf (((symbol-function 'undo-auto--add-boundary) #'ignore) ((symbol-function 'undo-boundary) #'ignore))
      (execute-kbd-macro (kbd keys))))
  (notesd-sync-flush)
  (undo-boundary))

(defun driver-type (text)
  "Type TEXT through the commands that a user's keys run."
  (undo-boundary)
  (let ((this-command nil))
    (seq-doseq (character text)
      (setq last-command-event (if (eq character ?\n) ?\r character))
      (setq this-command (if (eq character ?\n) 'newline 'self-insert-command))
      (if (eq character ?\n) (newline) (self-insert-command 1 character))
      (setq last-command this-command)))
  (undo-boundary))

(defun driver-undo (command)
  "Run COMMAND, for undo or redo; return whether there was something to do."
  (undo-boundary)
  (prog1 (condition-case problem
             (let ((inhibit-message t) (this-command command)) (call-interactively command) t)
           (error (driver-note "%S fails: %S" command problem) :false))
    (setq last-command command)
    (undo-boundary)))

(defun driver-do (command)
  "Run COMMAND; return its value, or `later' if it answers itself."
  (pcase (plist-get command :do)
    ("open" (notesd-find (plist-get command :note)) t)
    ("log" (vconcat (reverse driver-log)))
    ("eval" (setq last-command 'eval-expression)
     (undo-boundary)
     ;; The command loop forgets the command before it waits.
     (let ((this-command nil)) (format "%S" (eval (car (read-from-string (plist-get command :code))) t))))
    ("quit" (driver-answer (plist-get command :id) t) (kill-emacs 0))
    (what
     (if (null (driver-buffer))
         (if (equal what "text") nil (error "No note is open"))
       (switch-to-buffer (driver-buffer))
       (pcase what
         ("text" (notesd-sync-text))
         ("state" (driver-state))
         ("insert" (goto-char (driver-position (plist-get command :at)))
          (driver-type (plist-get command :text)) t)
         ("delete" (goto-char (point-min))
          (let ((case-fold-search nil))
            (if (not (search-forward (plist-get command :text) nil t)) :false
              (undo-boundary)
              (delete-region (match-beginning 0) (match-end 0))
              (undo-boundary)
              (setq last-command 'delete-region)
              t)))
         ("drop" (goto-char (driver-position (plist-get command :at)))
          (undo-boundary)
          (delete-char 1)
          (undo-boundary)
          (setq last-command 'delete-char)
          t)
         ("go" (goto-char (driver-position (plist-get command :at))) t)
         ("keys" (driver-keys (plist-get command :keys)) t)
         ("undo" (driver-undo 'undo-only))
         ("redo" (driver-undo 'undo-redo))
         ("save" (push (cons (plist-get command :id) (length driver-log)) driver-saving)
          (notesd-save) 'later)
         (_ (error "There is no command %s" what)))))))

(defun driver-saved ()
  "Answer the command that waits for a save, if the result is known."
  (when (and driver-saving (not (buffer-local-value 'notesd-sync--announce (driver-buffer))))
    (pcase-dolist (`(,id . ,since) driver-saving)
      (let ((told (mapcar (lambda (entry) (plist-get entry :message))
                          (butlast driver-log since))))
        (driver-answer id (list :durable (if (seq-find (lambda (message) (string-search "saved durably" message)) told)
                                             t :false)
                                :message (or (car told) "")))))
    (setq driver-saving nil)))

(defvar driver-running nil "Whether commands are being run.")

(defun driver-run ()
  "Run the received commands, one after the other."
  (unless driver-running
    (let ((driver-running t)) (driver-run-all))))

(defun driver-run-all ()
  "Run the received commands."
  (while driver-commands
    (let ((command (pop driver-commands)))
      (condition-case problem
          (let ((value (driver-do command)))
            (unless (eq value 'later) (driver-answer (plist-get command :id) value)))
        (error (driver-answer (plist-get command :id) nil (error-message-string problem)))))))

(defun driver-filter (_ output)
  "Receive OUTPUT of the test."
  (setq driver-rest (concat driver-rest output))
  (while (string-match "\n" driver-rest)
    (let ((line (substring driver-rest 0 (match-beginning 0))))
      (setq driver-rest (substring driver-rest (match-end 0))
            driver-commands
            (append driver-commands
                    (list (json-parse-string (decode-coding-string line 'utf-8-unix) :object-type 'plist))))))
  (unless driver-running (run-with-timer 0 nil #'driver-run)))

(defun driver-sentinel (process _)
  "End when the connection PROCESS ends."
  (unless (process-live-p process) (let ((kill-emacs-query-functions nil)) (kill-emacs 0))))

;; A batch Emacs dies when its connection is closed, so this drives an Emacs daemon.
(setq driver-pipe (make-network-process :name "driver" :family 'local :service (getenv "NOTESD_TEST_DRIVER")
                                        :coding 'no-conversion :filter #'driver-filter
                                        :sentinel #'driver-sentinel))
(run-with-timer 0.02 0.02 #'driver-saved)

;;; driver.el ends here
