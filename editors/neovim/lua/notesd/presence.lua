--- Others in a note: draws where they are, and reports where this user is.

local api = vim.api
local client = require('notesd.client')
local config = require('notesd.config')
local cursor = require('notesd.cursor')

local M = {}

local namespace = api.nvim_create_namespace('notesd_presence')
--- Minimum time between two reports of the own place.
local interval_ms = 100
local is_waiting = false
--- The note and the selection that were reported last.
local told

api.nvim_set_hl(0, 'NotesdCursor', { link = 'IncSearch', default = true })
api.nvim_set_hl(0, 'NotesdSelection', { link = 'Visual', default = true })
api.nvim_set_hl(0, 'NotesdName', { link = 'Comment', default = true })

local function is_on()
  return config.get().presence and client.can('presence') and client.is_up
end

local function tell()
  local note = client.open[api.nvim_get_current_buf()]
  if not note or not note.buffer or not note.is_open or not is_on() then
    return
  end
  note:text()
  local selection = cursor.selection(note.buffer)
  local key = { note.number, note.n, selection }
  if not vim.deep_equal(told, key) then
    told = key
    client.notify('buffer.select', { buffer = note.number, n = note.n, selection = selection })
  end
end

--- Call this when the cursor of this editor may have moved.
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

--- Reports that the user leaves the note.
function M.left(note)
  if told and note.is_open and is_on() then
    told = nil
    client.notify('buffer.select', { buffer = note.number, n = note.n, selection = vim.NIL })
  end
end

--- The program in a label: `vim` in `desk/vim/9f3a1c22`, which ends with the writer of a host.
local function program(label)
  return label and label:gsub('/%x%x%x%x%x%x%x%x$', ''):match('[^/]+$')
end

--- A person's name and program, with a number if others in the note have the same.
local function name(people, index)
  local person, number, count = people[index], 0, 0
  for other_index, other in ipairs(people) do
    if other.user == person.user and program(other.label) == program(person.label) then
      count = count + 1
      number = number + (other_index <= index and 1 or 0)
    end
  end
  local place = program(person.label)
  if count > 1 then
    place = place and ('%s %d'):format(place, number) or tostring(number)
  end
  return place and ('%s (%s)'):format(person.user, place) or person.user
end

local function draw_one(note, index)
  local buffer, person = note.buffer, note.people[index]
  local ends = person.selection or { person.at, person.at }
  local row, col = cursor.within(buffer, ends[1])
  local end_row, end_col = cursor.within(buffer, ends[2])
  local is_cursor = row == end_row and col == end_col
  local line = buffer.lines[row + 1]
  if is_cursor and col < #line then
    end_col = col + #vim.fn.strpart(line, col, 1, 1)
  end
  pcall(api.nvim_buf_set_extmark, note.handle, namespace, row, col, {
    virt_text = { { ' ◂ ' .. name(note.people, index), 'NotesdName' } }, end_row = end_row, end_col = end_col,
    hl_group = is_cursor and 'NotesdCursor' or 'NotesdSelection',
  })
end

--- Draws the others in a note. The marks move with the text.
function M.draw(note)
  if not note.buffer or not config.get().presence or not api.nvim_buf_is_valid(note.handle) then
    return
  end
  api.nvim_buf_clear_namespace(note.handle, namespace, 0, -1)
  for index, person in ipairs(note.people) do
    if person.at then
      draw_one(note, index)
    end
  end
end

--- Forgets the others in a note that is closed.
function M.forget(note)
  note.people = {}
  M.draw(note)
end

--- How many others have the note open.
function M.count(note)
  return #note.people
end

return M
