--- notesd in Neovim: notes that many editors write at once. See :help notesd.

local M = {}

--- Takes over settings; see |notesd-settings|. Not needed where the defaults will do.
function M.setup(options)
  require('notesd.config').set(options or {})
end

--- What a status line may show of a buffer's note, such as `notes: offline`; '' where it shows none. `handle` is 0 for the current one.
function M.statusline(handle)
  return require('notesd.status').line(handle or 0)
end

--- Undoes, or does again, one's own last change in the current buffer. False where there is none.
function M.undo()
  local note = require('notesd.note').of(0)
  return note ~= nil and note.buffer ~= nil and note.buffer:take_back('undo')
end

function M.redo()
  local note = require('notesd.note').of(0)
  return note ~= nil and note.buffer ~= nil and note.buffer:take_back('redo')
end

return M
