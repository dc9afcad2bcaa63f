;;; lsp.el --- Drives eglot or lsp-mode for verification/pages/lsp.py  -*- lexical-binding: t -*-

;; LSP_CLIENT is `eglot' or `lsp-mode'; LSP_SETUP is a file with the lines of docs/language-server.md for
;; it; LSP_FOLDER is the mirrored folder.  Writes what it found to LSP_RESULT, as JSON.

(setq package-enable-at-startup nil)
(require 'package)
(add-to-list 'package-directory-list "/usr/share/emacs/site-lisp/elpa")
(package-initialize)
(require 'json)
(require 'markdown-mode)

(defvar found nil)

(defun keep (name value)
  (push (cons name value) found))

(defun wait-for (holds what)
  (let ((until (+ (float-time) 20)))
    (while (not (funcall holds))
      (when (> (float-time) until) (error "Not in time: %s" what))
      (accept-process-output nil 0.05))))

(defun drive ()
  (setq eglot-confirm-server-initiated-edits nil lsp-auto-guess-root t lsp-enable-snippet nil lsp-headerline-breadcrumb-enable nil)
  (load (getenv "LSP_SETUP") nil t)
  (require (intern (getenv "LSP_CLIENT")))
  (when (equal (getenv "LSP_CLIENT") "lsp-mode") (lsp-workspace-folders-add (getenv "LSP_FOLDER")))
  (find-file (expand-file-name "home.md" (getenv "LSP_FOLDER")))
  (if (equal (getenv "LSP_CLIENT") "lsp-mode")
      (progn (lsp) (wait-for (lambda () (lsp-workspaces)) "the server"))
    (call-interactively #'eglot)
    (wait-for #'eglot-current-server "the server"))
  (wait-for (lambda () (if (equal (getenv "LSP_CLIENT") "lsp-mode") (lsp-feature? "textDocument/definition") t)) "capabilities")
  (goto-char (point-min))
  (search-forward "two wor")
  (let ((places (xref-backend-definitions (xref-find-backend) (xref-backend-identifier-at-point (xref-find-backend)))))
    ;; Eglot 1.9 leaves the bytes of a name as they are in the URI.
    (keep "definition" (and places (let ((file (file-name-nondirectory (xref-location-group (xref-item-location (car places))))))
                                     (decode-coding-string (encode-coding-string file 'utf-8) 'utf-8)))))
  (goto-char (point-max))
  (insert "[[two")
  (accept-process-output nil 1)
  (let* ((capf (run-hook-wrapped 'completion-at-point-functions (lambda (each) (let ((answer (ignore-errors (funcall each)))) (and (consp answer) answer)))))
         (names (all-completions "" (nth 2 capf) nil)))
    (keep "completion" (vconcat (mapcar #'substring-no-properties names)))))

(condition-case problem (drive)
  (error (keep "error" (format "%S" problem))))
(with-temp-file (getenv "LSP_RESULT") (insert (json-encode found)))
(set-buffer-modified-p nil)
(kill-emacs)
;;; lsp.el ends here
