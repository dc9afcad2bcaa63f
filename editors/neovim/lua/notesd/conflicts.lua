--- The window of `:NotesConflicts`: shows the sides of a conflict, which one key resolves.
---
--- The choice is applied to the note's buffer as if typed; when that is on disk, the conflict is
--- resolved with what the note shows.

local api = vim.api
local client = require('notesd.client')
local config = require('notesd.config')
local notices = require('notesd.notices')

local M = {}

local function author_of(side)
  return side.author and (side.author.label or side.author.user) or 'somebody'
end

--- The beginning of a dot, as notesctl shows it.
local function short(dot)
  return (tostring(dot or '?'):gsub('^(%x%x%x%x%x%x)%x*:', '%1:'))
end

--- The line above a side. An undone side shows what its revision had replaced, which is not its
--- author's text.
local function heading(index, side)
  if side.withdrawn then
    return ('%d  %s, undone:'):format(index, short(side.dot))
  end
  return ('%d  %s, %s'):format(index, author_of(side), side.modified or '')
end

--- The text of a side, for display.
local function shown_side(conflict, side)
  if side.deleted then
    return '(deleted)'
  elseif conflict.kind == 'name' then
    return side.name or '(no name)'
  end
  return side.text or ''
end

local function add_text(lines, head, text)
  lines[#lines + 1] = head
  local body = vim.split((text:gsub('\r?\n$', '')), '\n', { plain = true })
  for _, line in ipairs(body) do
    lines[#lines + 1] = '    ' .. line
  end
end

local function lines_of(conflict, number, count)
  local lines = { ('Conflict %d of %d (%s)'):format(number, count, conflict.kind), '' }
  for index, side in ipairs(conflict.sides) do
    add_text(lines, heading(index, side), shown_side(conflict, side))
  end
  if conflict.kind == 'text' then
    add_text(lines, 'o  what they started from', conflict.base or '')
    vim.list_extend(lines, { '', '1-9 take that side   o take what they started from   b keep the text as it is (both)' })
  elseif conflict.kind == 'name' then
    vim.list_extend(lines, { '', '1-9 take that name   b keep the name as it is' })
  else
    vim.list_extend(lines, { '', 'd delete the note   b keep it' })
  end
  lines[#lines + 1] = ']c next   [c previous   q close'
  return lines
end

local View = {}
View.__index = View

--- The current conflicts. Waits until everything is sent. nil, after a message, if they cannot be read.
function View:_ask()
  self.note:text()
  vim.wait(config.get().answer_wait_ms, function()
    return self.note:is_settled()
  end, 5)
  local err, result = client.ask('note.get', { id = self.note.id })
  if err then
    self.note:tell(err.message, vim.log.levels.ERROR)
    return nil
  elseif not self.note:is_settled() then
    self.note:tell('the text is changing; try again when everything is sent', vim.log.levels.WARN)
    return nil
  end
  return result.note.conflicts
end

function View:_show()
  local conflict = self.conflicts[self.at]
  local lines = lines_of(conflict, self.at, #self.conflicts)
  vim.bo[self.handle].modifiable = true
  api.nvim_buf_set_lines(self.handle, 0, -1, false, lines)
  vim.bo[self.handle].modifiable = false
  local window, range = vim.fn.win_findbuf(self.note.handle)[1], notices.range(self.note, conflict.id)
  if window and range then
    api.nvim_win_set_cursor(window, { math.min(range[1][1], #self.note.buffer.lines - 1) + 1, 0 })
  end
end

function View:_close()
  if api.nvim_buf_is_valid(self.handle) then
    api.nvim_buf_delete(self.handle, { force = true })
  end
end

--- Shows the next open conflict, or closes the window if there is none.
function View:_next()
  local conflicts = self:_ask()
  if not conflicts or #conflicts == 0 then
    self:_close()
    if conflicts then
      self.note:tell('no conflict is open')
    end
    self.note:changed()
    return
  end
  self.conflicts, self.at = conflicts, math.min(self.at, #conflicts)
  self:_show()
end

function View:_step(by)
  self.at = (self.at - 1 + by) % #self.conflicts + 1
  self:_show()
end

--- Sends a request of the note and waits for the response. Whether it succeeded.
function View:_request(method, params)
  local err = client.ask(method, vim.tbl_extend('force', { buffer = self.note.number }, params))
  if err then
    self.note:tell('not resolved: ' .. err.message, vim.log.levels.ERROR)
  end
  return err == nil
end

--- Resolves the conflict with `text` in its place; nil leaves the text as it is.
function View:_settle(text)
  local conflict, note = self.conflicts[self.at], self.note
  local range = notices.range(note, conflict.id)
  if text and not range then
    note:tell('the text has changed in the meantime; look again', vim.log.levels.WARN)
  else
    if text then
      note:end_step()
      note.buffer:own({ { range[1], range[2], text } })
      note:end_step()
    end
    if self:_request('buffer.save', {}) then
      self:_request('buffer.resolve', { conflict = conflict.id, take = 'shown' })
    end
  end
  self:_next()
end

function View:_take(index)
  local conflict = self.conflicts[self.at]
  local side = conflict.sides[index]
  if not side then
    return
  elseif conflict.kind == 'text' and side.text then
    self:_settle(side.text)
  elseif conflict.kind == 'name' then
    self:_request('buffer.resolve', { conflict = conflict.id, take = side.dot })
    self:_next()
  end
end

function View:_take_base()
  local conflict = self.conflicts[self.at]
  if conflict.kind == 'text' then
    self:_settle(conflict.base or '')
  end
end

function View:_delete()
  if self.conflicts[self.at].kind == 'deletion' then
    self:_close()
    local window = vim.fn.win_findbuf(self.note.handle)[1]
    if window then
      api.nvim_set_current_win(window)
      vim.cmd('NotesDelete')
    end
  end
end

function View:_map()
  local function map(keys, action, description)
    vim.keymap.set('n', keys, action, { buffer = self.handle, nowait = true, desc = description })
  end
  for index = 1, 9 do
    map(tostring(index), function()
      self:_take(index)
    end, 'Take this side')
  end
  local keys = {
    o = { self._take_base, 'Take what both started from' }, b = { self._settle, 'Keep the text as it is' },
    d = { self._delete, 'Delete the note' }, q = { self._close, 'Close' },
  }
  for key, action in pairs(keys) do
    map(key, function()
      action[1](self)
    end, action[2])
  end
  map(']c', function()
    self:_step(1)
  end, 'Next conflict')
  map('[c', function()
    self:_step(-1)
  end, 'Previous conflict')
end

--- `:NotesConflicts`
function M.open(note)
  local self = setmetatable({ note = note, at = 1 }, View)
  self.conflicts = self:_ask()
  if not self.conflicts then
    return
  elseif #self.conflicts == 0 then
    note:tell('no conflict is open')
    return
  end
  self.handle = require('notesd.scratch').show(('notes://%s (conflicts)'):format(note:shown_name()), '', 'botright 15split')
  self:_map()
  self:_show()
end

return M
