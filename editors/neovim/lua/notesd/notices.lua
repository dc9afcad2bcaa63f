--- What users see without a status line: a message if the daemon is away, and open conflicts as
--- diagnostics, with signs.

local api = vim.api
local client = require('notesd.client')
local cursor = require('notesd.cursor')

local M = {}

--- Time without a connection after which a message reports it. A restart of the daemon takes less.
M.away_ms = 2000

local diagnostics = api.nvim_create_namespace('notesd_conflicts')
local places = api.nvim_create_namespace('notesd_conflict_places')
local is_waiting, is_told = false, false

local function any_shown()
  for _, note in pairs(client.open) do
    if note.buffer then
      return true
    end
  end
  return false
end

--- Handles the loss of the connection, or a failed attempt to connect: reports it once if it lasts.
function M.lost()
  if is_waiting or is_told then
    return
  end
  is_waiting = true
  vim.defer_fn(function()
    is_waiting = false
    if not client.is_up and any_shown() then
      is_told = true
      client.tell('OFFLINE: the daemon does not answer; what you type is kept and sent when it is back', vim.log.levels.WARN)
    end
  end, M.away_ms)
end

--- Handles a new connection.
function M.ready()
  if is_told then
    is_told = false
    client.tell('connected again')
  end
end

--- Marks the places of the conflicts in the buffer. The marks move with the text.
local function mark(note)
  local marks = {}
  api.nvim_buf_clear_namespace(note.handle, places, 0, -1)
  for index, conflict in ipairs(note.conflicts) do
    local range = conflict.range or { { 0, 0 }, { 0, 0 } }
    local row, col = cursor.within(note.buffer, range[1])
    local to_row, to_col = cursor.within(note.buffer, range[2])
    marks[index] = api.nvim_buf_set_extmark(note.handle, places, row, col, { end_row = to_row, end_col = to_col })
  end
  return marks
end

local function message_of(conflict)
  return ('conflict (%s) of %s: :NotesConflicts resolves it'):format(conflict.kind, table.concat(conflict.authors or {}, ' and '))
end

--- Shows the open conflicts of a note as diagnostics, where they are now.
function M.show_conflicts(note)
  if #note.conflicts == 0 and not note.conflict_marks then
    return
  end
  if note.marked_conflicts ~= note.conflicts then
    note.marked_conflicts, note.conflict_marks = note.conflicts, mark(note)
  end
  local list = {}
  for index, conflict in ipairs(note.conflicts) do
    local row, col, details = unpack(api.nvim_buf_get_extmark_by_id(note.handle, places, note.conflict_marks[index], { details = true }))
    if row then
      list[#list + 1] = {
        lnum = row, col = col, end_lnum = details.end_row, end_col = details.end_col, severity = vim.diagnostic.severity.WARN,
        source = 'notesd', message = message_of(conflict),
      }
    end
  end
  if #list == 0 then
    note.conflict_marks = nil
  end
  if not vim.deep_equal(list, note.shown_conflicts or {}) then
    note.shown_conflicts = list
    vim.diagnostic.set(diagnostics, note.handle, vim.deepcopy(list))
  end
end

--- The places between which a conflict is now, by its id; nil if it is not in the text.
function M.range(note, id)
  for index, conflict in ipairs(note.conflicts) do
    local mark_id = note.conflict_marks and note.conflict_marks[index]
    if conflict.id == id and conflict.range and mark_id then
      local row, col, details = unpack(api.nvim_buf_get_extmark_by_id(note.handle, places, mark_id, { details = true }))
      -- A mark cannot be after the last line end.
      local is_to_end = note.buffer.eol and conflict.range[2][2] == 0 and details.end_row == #note.buffer.lines - 1
        and details.end_col == #note.buffer.lines[#note.buffer.lines]
      return row and { { row, col }, is_to_end and { #note.buffer.lines, 0 } or { details.end_row, details.end_col } }
    end
  end
end

--- Removes the diagnostics of a note that is no longer shown.
function M.forget(note)
  if note.shown_conflicts and api.nvim_buf_is_valid(note.handle) then
    vim.diagnostic.reset(diagnostics, note.handle)
    api.nvim_buf_clear_namespace(note.handle, places, 0, -1)
  end
end

return M
