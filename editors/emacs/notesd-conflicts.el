(defun notesd-conflicts-show ()) (provide 'notesd-conflicts)
