--- An open note: passes between its buffer and the host, and handles what the editor asks of them.

local api = vim.api
local Buffer = require('notesd.buffer')
local client = require('notesd.client')
local config = require('notesd.config')
local layout = require('notesd.layout')
local notices = require('notesd.notices')
local presence = require('notesd.presence')
local utf8 = require('notesd.utf8')
local uv = require('notesd.uv')
local levels = vim.log.levels

local Note = {}
Note.__index = Note

--- Interval at which a note waits until its buffer may be changed.
local free_ms = 20

--- The open note of a buffer, or nil; 0 means the current buffer.
function Note.of(handle)
  return client.open[handle == 0 and api.nvim_get_current_buf() or handle]
end

--- The open note with an id or a name, or nil.
function Note.named(word)
  for _, note in pairs(client.open) do
    if note.id and (note.id == word or note.name == word) then
      return note
    end
  end
  return nil
end

--- The note's name or id in a buffer's name.
local function name_in(handle)
  return (api.nvim_buf_get_name(handle):gsub('^notes://', ''))
end

--- Shows a note in the buffer that is named after it.
function Note.open(handle)
  local self = setmetatable({
    handle = handle, number = client.next_number(), wanted = name_in(handle), is_open = false, n = 0, saved_n = 0, step_k = 0,
    conflicts = {}, people = {}, savers = {},
  }, Note)
  local before = client.open[handle]
  if before then
    before:close()
  end
  client.open[handle], client.numbered[self.number] = self, self
  local options = vim.bo[handle]
  options.buftype, options.swapfile, options.undofile = 'acwrite', false, false
  -- These options can be set only in a buffer that is 'modifiable'.
  options.modifiable = true
  options.fileencoding, options.bomb = 'utf-8', false
  options.modifiable = false
  require('notesd.attach').buffer(self)
  local other = Note.named(self.wanted)
  if other then
    self:give_way(other)
  elseif client.wait_ready() then
    self:load()
    vim.wait(config.get().answer_wait_ms, function()
      return not self.is_loading
    end, 2)
  end
  if not self.buffer and not client.is_up and not self.closed then
    self.trouble = client.trouble()
    client.tell(('%s: %s; the note will appear when the daemon is running'):format(self.wanted, self.trouble), levels.WARN)
  end
  return self
end

--- Shows `other`, which already has this note open, in place of this buffer.
function Note:give_way(other)
  self:close()
  vim.schedule(function()
    for _, window in ipairs(vim.fn.win_findbuf(self.handle)) do
      api.nvim_win_set_buf(window, other.handle)
    end
    if api.nvim_buf_is_valid(self.handle) then
      api.nvim_buf_delete(self.handle, { force = true })
    end
  end)
end

function Note:tell(message, level)
  client.tell(('%s: %s'):format(self:shown_name(), message), level)
end

function Note:shown_name()
  return self.name or self.wanted
end

-- The text.

--- The text shown, with LF as line end. Everything that was typed has been passed to the host.
function Note:text()
  if not self.closed then
    self.buffer:capture()
  end
  return self.buffer:text()
end

function Note:show_text(text, is_dos)
  self.trouble = nil
  self.buffer = Buffer.new(self.handle, text, is_dos, function()
    self:typed()
  end, function(made, before)
    self:_found(made, before)
  end)
  local can_write = not client.daemon or client.daemon.access ~= 'read'
  vim.bo[self.handle].modifiable = can_write
  if not can_write then
    self:tell('is read-only for you', levels.WARN)
  end
end

--- Whether edits insert bytes that no note may have.
local function has_bad(made)
  for _, edit in ipairs(made) do
    if utf8.first_bad(edit[3]) then
      return true
    end
  end
  return false
end

--- Handles edits that were found in the buffer.
function Note:_found(made, before)
  self.since = self.since or uv.now()
  if not self.is_open then
    return
  elseif self.bad or has_bad(made) then
    self:_send_all()
    return
  end
  self.n = self.n + 1
  client.notify('buffer.change', {
    buffer = self.number, n = self.n, edits = made, length = self.buffer.bytes, joins = self.is_step or false, before = before,
  })
  self.is_step = true
end

--- Sends the whole text, or reports why it cannot be sent.
function Note:_send_all()
  local text = self.buffer:text()
  local bad = utf8.first_bad(text)
  if not bad then
    self.bad, self.is_step = nil, false
    self.n = self.n + 1
    client.notify('buffer.change', { buffer = self.number, n = self.n, text = text, length = #text })
    return
  end
  local message = ('not saved: line %d has bytes that are not UTF-8'):format(layout.place(layout.split(text), bad)[1] + 1)
  if self.bad ~= message then
    self.bad = message
    self:tell(message, levels.ERROR)
  end
end

--- Ends the user's step: what is typed next is another one.
function Note:end_step()
  if self.buffer then
    self:text()
    self.is_step = false
  end
end

--- Something may have been typed.
function Note:typed()
  local text = self:text()
  if self.is_new and text ~= '' then
    self:create_soon()
  end
  presence.moved()
  self:changed()
end

--- Undoes (`undo`) or redoes (`redo`) the user's newest own step; false if there is none.
function Note:take_back(what)
  if not self.buffer or not self.is_open then
    return false
  end
  self:end_step()
  local answer
  client.request('buffer.' .. what, { buffer = self.number }, function(err, result)
    answer = { err = err, result = result }
  end)
  vim.wait(config.get().answer_wait_ms, function()
    return answer ~= nil
  end, 5)
  if answer and answer.err then
    self:tell(answer.err.message, levels.ERROR)
  end
  return answer ~= nil and answer.result ~= nil and answer.result.done
end

-- What the host sends.

local heard = {}

function Note:heard(method, params)
  local action = heard[method]
  if action and self.buffer then
    action(self, params)
    self:changed()
  end
end

heard['buffer.edit'] = function(self, params)
  if not self.is_open then
    return
  end
  self.buffer:capture()
  local answer = { buffer = self.number, k = params.k, n = self.n }
  if self.bad or not self.buffer:is_free() then
    answer.busy = true
    client.notify('buffer.decline', answer)
    self:_wait_until_free()
    return
  elseif params.n ~= self.n then
    client.notify('buffer.decline', answer)
    return
  end
  local edits = params.edits or {}
  if params.origin == 'others' then
    self.buffer:apply(edits)
  else
    self.buffer:apply_step(edits, params.selection and params.selection[2])
    self.since, self.step_k = self.since or uv.now(), params.k
  end
  self.version, self.shown = params.version, params.version
  client.notify('buffer.accept', answer)
end

--- Tells the host when the buffer may be changed again.
function Note:_wait_until_free()
  if self.is_waiting then
    return
  end
  self.is_waiting = true
  local function try()
    if self.closed or not self.is_open or not api.nvim_buf_is_valid(self.handle) then
      self.is_waiting = false
    elseif self.bad or not self.buffer:is_free() then
      vim.defer_fn(try, free_ms)
    else
      self.buffer:capture()
      self.is_waiting = false
      client.notify('buffer.ready', { buffer = self.number })
    end
  end
  vim.defer_fn(try, free_ms)
end

heard['buffer.saved'] = function(self, params)
  self.version, self.saved = params.version, params.version
  self.faults, self.refused = 0, nil
  if params.k >= self.step_k then
    self.saved_n = params.n
  end
  if self.saved_n == self.n and params.k >= self.step_k then
    self.since = nil
  end
end

heard['buffer.people'] = function(self, params)
  self.people = params.people
  presence.draw(self)
end

heard['buffer.state'] = function(self, params)
  self:set_state(params)
end

heard['buffer.notice'] = function(self, params)
  if params.kind == 'parted' then
    self:parted()
  elseif params.kind == 'refused' then
    if self.refused ~= params.text then
      self.refused = params.text
      self:tell(params.text, levels.ERROR)
    end
  elseif params.kind == 'deleted' then
    self:tell('was deleted; typing or :write! brings it back', levels.WARN)
  elseif params.kind ~= 'offline' and params.kind ~= 'nothing' then
    self:tell(params.text, levels.WARN)
  end
end

heard['buffer.fault'] = function(self, params)
  self.is_open, self.faults = false, (self.faults or 0) + 1
  if self.faults > 3 then
    self.refused = params.reason
    self:tell(params.reason .. '; this text is not sent any more: copy it, and use :edit!', levels.ERROR)
  else
    self:load()
  end
end

--- Takes the members `name`, `deleted` and `conflicts` of what the host sent.
function Note:set_state(state)
  self.name, self.deleted, self.conflicts = state.name, state.deleted, state.conflicts
  self:_rename_buffer()
end

--- Names the buffer after its note; otherwise `:edit` would open the old name.
function Note:_rename_buffer()
  local old, new = self.wanted, self.name or self.id
  if self.closed or old == new or not api.nvim_buf_is_valid(self.handle) then
    return
  end
  self.wanted = new
  if not pcall(api.nvim_buf_set_name, self.handle, 'notes://' .. new) then
    self.wanted = old
    return
  end
  -- Neovim keeps a buffer with the old name, for CTRL-^.
  for _, handle in ipairs(api.nvim_list_bufs()) do
    if handle ~= self.handle and not api.nvim_buf_is_loaded(handle) and name_in(handle) == old then
      pcall(api.nvim_buf_delete, handle, { force = true })
    end
  end
end

--- The daemon does not know the text shown here. `theirs` is the daemon's text, if it is known.
function Note:parted(theirs)
  if self.is_parted then
    return
  end
  if self.is_open then
    self:_close_in_host()
  end
  self.is_parted, self.is_open = true, false
  self:tell('the daemon does not know the text shown here. :write! keeps it; the daemon\'s text is in a second window', levels.ERROR)
  local function show(text)
    require('notesd.scratch').show_beside(('notes://%s (daemon)'):format(self:shown_name()), text or '')
  end
  if theirs then
    show(theirs)
  else
    client.request('note.get', { id = self.id }, function(err, result)
      show(err and err.message or result.note.text)
    end)
  end
end

-- States.

--- Whether everything shown is acknowledged.
function Note:is_settled()
  return self.is_open and not self.since and self.n == self.saved_n and not self.bad
end

--- `new`, `loading`, `synced`, `sending`, `offline`, `refused`, `deleted` or `parted`; and the trouble, if
--- any.
function Note:status()
  if self.is_parted then
    return 'parted'
  elseif self.bad or self.refused then
    return 'refused', self.bad or self.refused
  elseif not client.is_up then
    return 'offline', self.trouble or client.trouble()
  elseif self.is_new then
    return 'new', self.trouble
  elseif not self.buffer then
    return 'loading', self.trouble
  elseif self.deleted then
    return 'deleted'
  end
  return self:is_settled() and 'synced' or 'sending'
end

--- Call this when `status` may have changed.
function Note:changed()
  if self.closed or not self.buffer or not api.nvim_buf_is_valid(self.handle) then
    return
  end
  local is_modified = self.is_parted or self.since ~= nil or self.bad ~= nil
  if vim.bo[self.handle].modified ~= is_modified then
    vim.bo[self.handle].modified = is_modified
  end
  notices.show_conflicts(self)
  if not self.is_drawing then
    self.is_drawing = true
    vim.schedule(function()
      self.is_drawing = false
      vim.cmd('redrawstatus!')
    end)
  end
end

--- The daemon answers.
function Note:connected()
  if not self.is_open and not self.is_parted and not (self.is_new and self:text() == '') then
    self:load()
  end
  self:changed()
end

--- The daemon does not answer, or the host ended.
function Note:lost()
  self.is_open = self.is_open and client.host():is_ready()
  self.people = {}
  presence.draw(self)
  self:changed()
end

require('notesd.note_open')(Note)
require('notesd.note_save')(Note)

return Note
