;;; notesd-complete.el --- Completing tags and links -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The notesd authors
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Completion at point: names of notes after \"[[\", tags after \"#\".

;;; Code:

(require 'notesd)

(defconst notesd-complete-seconds 10 "How many seconds names and tags are cached.")

(defvar notesd-complete--read nil "Cache of names and tags, with the time: (TIME NAMES TAGS).")

(defun notesd-complete--known ()
  "Return (NAMES TAGS) of all notes."
  (when (and (notesd-rpc-connected-p)
             (or (null notesd-complete--read)
                 (> (float-time (time-since (car notesd-complete--read))) notesd-complete-seconds)))
    (let ((names nil) (tags nil))
      (dolist (note (notesd-notes))
        (when (plist-get note :name) (push (plist-get note :name) names))
        (setq tags (append (plist-get note :tags) tags)))
      (setq notesd-complete--read (list (current-time) (nreverse names) (sort (seq-uniq tags) #'string<)))))
  (cdr notesd-complete--read))

(defun notesd-complete--table (which typed)
  "Return a completion table of names if WHICH is 0, or of tags if it is 1.
Leave out TYPED: the tag being typed is already in the note."
  (completion-table-dynamic
   (lambda (_) (remove typed (ignore-errors (nth which (notesd-complete--known)))))))

(defun notesd-complete ()
  "Complete a link or a tag at point, for `completion-at-point-functions'."
  (save-excursion
    (let ((end (point)) (bol (line-beginning-position)))
      (cond
       ((let ((start (save-excursion (and (search-backward "[[" bol t) (+ 2 (point))))))
          (and start (not (string-search "]]" (buffer-substring-no-properties start end)))
               (list start end (notesd-complete--table 0 nil) :exclusive 'no
                     :exit-function (lambda (_ status)
                                      (when (and (memq status '(finished sole)) (not (looking-at "\\]\\]")))
                                        (insert "]]")))))))
       ((progn (skip-chars-backward "[:alnum:]_/-" bol)
               (and (eq (char-before) ?#)
                    (string-match-p "\\(?:\\`\\|[ \t(]\\)#\\'"
                                    (buffer-substring-no-properties bol (point))))
               (list (point) end (notesd-complete--table 1 (downcase (buffer-substring-no-properties (point) end))) :exclusive 'no)))))))

(provide 'notesd-complete)
;;; notesd-complete.el ends here
