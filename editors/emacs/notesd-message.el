;;; notesd-message.el --- Messages of one line -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A message that is longer than a line enlarges the echo area, which moves the
;; text of the windows above it.

;;; Code:

(require 'subr-x)

(defun notesd-message (format &rest arguments)
  "Show a message in one line, made from FORMAT and ARGUMENTS as by `message'.
If it is longer than the line, only the buffer *Messages* has all of it."
  (let ((text (string-join (split-string (apply #'format-message format arguments) "\n+" t "[ \t]+") " "))
        (width (1- (window-width (minibuffer-window)))))
    ;; The first frame of a daemon is on no terminal and 10 columns wide.
    (if (or (< width 20) (<= (string-width text) width))
        (message "%s" text)
      (let ((inhibit-message t))
        (message "%s" text))
      (let (message-log-max)
        (message "%s" (truncate-string-to-width text width nil nil "…"))))))

(provide 'notesd-message)
;;; notesd-message.el ends here
