--- notesd for Neovim: notes that many editors write at once. See :help notesd.

local M = {}

--- Sets options; see |notesd-settings|. You need not call this if the defaults suit you.
function M.setup(options)
  require('notesd.config').set(options or {})
end

--- Text for a status line, such as `notes: OFFLINE`; '' if the buffer shows no note. `handle` 0 is
--- the current buffer.
function M.statusline(handle)
  return require('notesd.status').line(handle or 0)
end

--- Undoes or redoes the user's own last change in the current buffer; false if there is none.
function M.undo()
  local note = require('notesd.note').of(0)
  return note ~= nil and note:take_back('undo')
end

function M.redo()
  local note = require('notesd.note').of(0)
  return note ~= nil and note:take_back('redo')
end

return M
