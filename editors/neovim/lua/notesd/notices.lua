--- What users see without a status line: a message if the daemon is away, and open conflicts as
--- diagnostics, with signs.

local api = vim.api
local client = require('notesd.client')
local edits = require('notesd.edits')
local layout = require('notesd.layout')

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
    if not client.link():is_ready() and any_shown() then
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

--- Row and column of an offset in the text of the shadow, which may have typed text since.
local function place_of(note, offset)
  local buffer = note.buffer
  local moved = math.min(edits.position(offset, note.session.pending), #buffer.text)
  local row, col = layout.place(buffer.lines, buffer.shape, moved)
  if row >= #buffer.lines then
    row, col = #buffer.lines - 1, #buffer.lines[#buffer.lines]
  end
  return row, math.min(col, #buffer.lines[row + 1])
end

--- Marks the places of the conflicts in the buffer. The marks move with the text.
local function mark(note)
  local marks = {}
  api.nvim_buf_clear_namespace(note.handle, places, 0, -1)
  for index, conflict in ipairs(note.session.conflicts) do
    local range = conflict.range or { start = 0, ['end'] = 0 }
    local row, col = place_of(note, range.start)
    local to_row, to_col = place_of(note, range['end'])
    marks[index] = api.nvim_buf_set_extmark(note.handle, places, row, col, { end_row = to_row, end_col = to_col })
  end
  return marks
end

local function message_of(conflict)
  local names = {}
  for _, side in ipairs(conflict.sides or {}) do
    local author = side.author or {}
    names[#names + 1] = author.label or author.user or 'somebody'
  end
  return ('conflict (%s) of %s: :NotesConflicts resolves it'):format(conflict.kind or 'text', table.concat(names, ' and '))
end

--- Shows the open conflicts of a note as diagnostics, where they are now.
function M.show_conflicts(note)
  local session = note.session
  if not session or not note.buffer or (#session.conflicts == 0 and not note.conflict_marks) then
    return
  end
  if note.marked_conflicts ~= session.conflicts then
    note.marked_conflicts, note.conflict_marks = session.conflicts, mark(note)
  end
  local list = {}
  for index, conflict in ipairs(session.conflicts) do
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

--- Removes the diagnostics of a note that is no longer shown.
function M.forget(note)
  if note.shown_conflicts and api.nvim_buf_is_valid(note.handle) then
    vim.diagnostic.reset(diagnostics, note.handle)
    api.nvim_buf_clear_namespace(note.handle, places, 0, -1)
  end
end

return M
