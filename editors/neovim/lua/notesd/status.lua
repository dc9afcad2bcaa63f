--- The text for the status line.

local M = {}

local words = {
  synced = '', sending = '…', offline = 'OFFLINE', refused = 'NOT SAVED', deleted = 'deleted elsewhere', parted = 'PARTED',
  new = 'new', loading = 'loading',
}

--- `notes`, the state of the note, how many conflicts are open, how many others have the note open;
--- '' if the buffer shows no note.
function M.line(handle)
  local note = require('notesd.note').of(handle)
  if not note then
    return ''
  end
  local parts = { 'notes' }
  local word = words[note:status()] or ''
  if word ~= '' then
    parts[#parts + 1] = word
  end
  local conflicts = #note.conflicts
  if conflicts > 0 then
    parts[#parts + 1] = ('%d %s'):format(conflicts, conflicts == 1 and 'conflict' or 'conflicts')
  end
  local others = require('notesd.presence').count(note)
  if others > 0 then
    parts[#parts + 1] = ('%d here'):format(others)
  end
  return table.concat(parts, ': ', 1, math.min(2, #parts)) .. (#parts > 2 and ', ' .. table.concat(parts, ', ', 3) or '')
end

return M
