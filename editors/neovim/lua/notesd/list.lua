--- Lists of notes: for completion, and to choose from.

local client = require('notesd.client')

local M = {}

local page = 1000
local pages_max = 20

--- All notes that match a filter, by name; nil and the error if the request fails.
local function all(filter)
  local notes, after = {}, nil
  for _ = 1, pages_max do
    local err, result = client.ask('note.list', { filter = next(filter) and filter or nil, limit = page, after = after })
    if err then
      return nil, err
    end
    vim.list_extend(notes, result.notes)
    after = result.next
    if not after then
      break
    end
  end
  return notes
end

--- The names that begin with `lead`, for completion on the command line.
function M.names(lead)
  local notes = all(lead ~= '' and { prefix = lead } or {}) or {}
  local names = {}
  for _, note in ipairs(notes) do
    names[#names + 1] = note.name
  end
  return names
end

local function described(note)
  local parts = { note.name or note.id }
  if note.title ~= '' and note.title ~= note.name then
    parts[#parts + 1] = note.title
  end
  if #note.conflicts > 0 then
    parts[#parts + 1] = '(conflict)'
  end
  return table.concat(parts, '  ')
end

--- Lets the user choose a note with `vim.ui.select`. Calls `chosen(name)` with its name, or with
--- its id if it has no name.
function M.choose(chosen)
  local notes, err = all({})
  if not notes then
    client.tell(err.message, vim.log.levels.ERROR)
  elseif #notes == 0 then
    client.tell('there are no notes yet; :Notes NAME creates one')
  else
    vim.ui.select(notes, { prompt = 'Notes', kind = 'notesd', format_item = described }, function(note)
      if note then
        chosen(note.name or note.id)
      end
    end)
  end
end

return M
