local M = {}
function M.heard() end
function M.moved() end
function M.left() end
return M
