--- Presence: sends this editor's cursor to the daemon, and draws the cursors of others.
---
--- A selection is sent for a version, and only while the buffer shows exactly that version's text.
--- The selections of others are drawn when their version is shown; from then on they are extmarks
--- and move with the text.

local api = vim.api
local client = require('notesd.client')
local config = require('notesd.config')
local layout = require('notesd.layout')

local M = {}

local namespace = api.nvim_create_namespace('notesd_presence')
--- Minimum time between two `presence.set`.
local interval_ms = 100
--- By the note's id, then by dependent (a connected client): `{ label, version, selection, mark }`.
local others = {}
local is_waiting = false
local told

api.nvim_set_hl(0, 'NotesdCursor', { link = 'IncSearch', default = true })
api.nvim_set_hl(0, 'NotesdSelection', { link = 'Visual', default = true })
api.nvim_set_hl(0, 'NotesdName', { link = 'Comment', default = true })

local function is_on()
  return config.get().presence and client.can('presence') and client.link():is_ready()
end

--- Start and end offset of the selection in the current window, or of the cursor if nothing is
--- selected.
local function selection_of(buffer)
  local function offset(position)
    local row = math.min(position[1], #buffer.lines) - 1
    return layout.offset(buffer.lines, buffer.shape, row) + math.min(position[2], #buffer.lines[row + 1])
  end
  local cursor = api.nvim_win_get_cursor(0)
  local start = offset(cursor)
  local stop = start
  if api.nvim_get_mode().mode:match('^[vV\22]') then
    local other = vim.fn.getpos('v')
    stop = offset({ other[2], other[3] - 1 })
  end
  return { start = math.min(start, stop), ['end'] = math.max(start, stop) }
end

local function tell()
  local note = client.open[api.nvim_get_current_buf()]
  local session = note and note.session
  if not session or note.closed or not is_on() then
    return
  elseif session.shadow ~= note:text() or not session:is_settled() or session.parted or session.gone then
    return
  end
  local selection = selection_of(note.buffer)
  local key = ('%s %s %d %d'):format(session.id, session.version, selection.start, selection['end'])
  if told ~= key then
    told = key
    local params = { note = session.id, version = session.version, selection = selection }
    client.request('presence.set', params, function() end)
  end
end

--- Call this when the cursor of this editor may have moved, or its text may have been acknowledged.
function M.moved()
  if is_waiting or not is_on() then
    return
  end
  is_waiting = true
  vim.defer_fn(function()
    is_waiting = false
    tell()
  end, interval_ms)
end

--- Clears this editor's presence when the user leaves the note.
function M.left(note)
  if told and is_on() and note.session then
    told = nil
    client.request('presence.set', { note = vim.NIL }, function() end)
  end
end

local function erase(note, other)
  if other.mark and api.nvim_buf_is_valid(note.handle) then
    api.nvim_buf_del_extmark(note.handle, namespace, other.mark)
  end
  other.mark = nil
end

local function place(buffer, offset)
  local row, col = layout.place(buffer.lines, buffer.shape, offset)
  if row >= #buffer.lines then
    row, col = #buffer.lines - 1, #buffer.lines[#buffer.lines]
  end
  return row, math.min(col, #buffer.lines[row + 1])
end

--- The text after the line: the label, with the number of the client if others have the same label.
local function name_text(note, dependent)
  local here, count = others[note.session.id], 0
  for _, other in pairs(here) do
    count = count + (other.label == here[dependent].label and 1 or 0)
  end
  local number = count > 1 and (' %s'):format(dependent) or ''
  return { { ' ◂ ' .. here[dependent].label .. number, 'NotesdName' } }
end

--- Draws the names again that somebody who came or left has made ambiguous or unique.
local function draw_names(note)
  for dependent, other in pairs(others[note.session.id]) do
    local text = name_text(note, dependent)
    local mark = other.mark and api.nvim_buf_get_extmark_by_id(note.handle, namespace, other.mark, { details = true }) or {}
    if mark[3] and not vim.deep_equal(mark[3].virt_text, text) then
      api.nvim_buf_set_extmark(note.handle, namespace, mark[1], mark[2], {
        id = other.mark, virt_text = text, end_row = mark[3].end_row, end_col = mark[3].end_col, hl_group = mark[3].hl_group,
      })
    end
  end
end

local function draw_one(note, dependent, other)
  local buffer = note.buffer
  local row, col = place(buffer, other.selection.start)
  local end_row, end_col = place(buffer, other.selection['end'])
  local is_cursor = row == end_row and col == end_col
  local line = buffer.lines[row + 1]
  if is_cursor and col < #line then
    end_col = col + #vim.fn.strpart(line, col, 1, 1)
  end
  local options = {
    id = other.mark, virt_text = name_text(note, dependent), end_row = end_row, end_col = end_col,
    hl_group = is_cursor and 'NotesdCursor' or 'NotesdSelection',
  }
  local ok, mark = pcall(api.nvim_buf_set_extmark, note.handle, namespace, row, col, options)
  other.mark = ok and mark or other.mark
  other.is_drawn = true
end

--- Draws the selections whose version is the one shown.
function M.draw(note)
  local session = note.session
  if not session or not config.get().presence or not others[session.id] then
    return
  end
  for dependent, other in pairs(others[session.id]) do
    if not other.is_drawn and other.selection and other.version == session.version and note:text() == session.shadow then
      draw_one(note, dependent, other)
    end
  end
  draw_names(note)
end

local function note_of(id)
  for _, note in pairs(client.open) do
    if note.session and note.session.id == id then
      return note
    end
  end
  return nil
end

--- Handles `presence.changed`.
function M.heard(params)
  local note = note_of(params.note)
  if not note or not params.dependent then
    return
  end
  local here = others[params.note] or {}
  others[params.note] = here
  local other = here[params.dependent]
  if params.version == nil and params.selection == nil then
    if other then
      erase(note, other)
      here[params.dependent] = nil
    end
  else
    other = other or {}
    here[params.dependent] = other
    other.label = params.label or (params.user and (params.user.person or params.user.name)) or 'somebody'
    other.version, other.selection, other.is_drawn = params.version, params.selection, false
    if not params.selection then
      erase(note, other)
    end
  end
  M.draw(note)
  note:changed()
end

--- Forgets everybody: the connection is gone, a watch starts anew, or the note is closed.
function M.forget(note)
  local session = note.session
  if session and others[session.id] then
    others[session.id] = nil
    if api.nvim_buf_is_valid(note.handle) then
      api.nvim_buf_clear_namespace(note.handle, namespace, 0, -1)
    end
  end
  told = nil
end

--- How many others have the note open.
function M.count(note)
  return note.session and vim.tbl_count(others[note.session.id] or {}) or 0
end

return M
