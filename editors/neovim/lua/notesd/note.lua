--- A note that is open: its buffer and its session, and what the editor asks of both.

local api = vim.api
local Buffer = require('notesd.buffer')
local Session = require('notesd.session')
local client = require('notesd.client')
local config = require('notesd.config')
local drafts = require('notesd.drafts')
local identity = require('notesd.identity')
local presence = require('notesd.presence')
local levels = vim.log.levels

local Note = {}
Note.__index = Note

local retry_ms = 500

--- The open note of a buffer; that of the current one for 0. nil where it shows none.
function Note.of(handle)
  return client.open[handle == 0 and api.nvim_get_current_buf() or handle]
end

--- The open note that has an id; nil where none is open.
function Note.with_id(id)
  for _, note in pairs(client.open) do
    if note.session and note.session.id == id then
      return note
    end
  end
  return nil
end

--- What a buffer's name says: the note's name, or its id.
local function name_in(handle)
  return (api.nvim_buf_get_name(handle):gsub('^notes://', ''))
end

--- A buffer that is to show a note, made ready for it.
local function begin(handle)
  local self = setmetatable({ handle = handle, wanted = name_in(handle), savers = {} }, Note)
  local before = client.open[handle]
  if before then
    before:close()
  end
  client.open[handle] = self
  local options = vim.bo[handle]
  options.buftype, options.swapfile, options.undofile = 'acwrite', false, false
  options.fileencoding, options.bomb = 'utf-8', false
  require('notesd.attach').buffer(self)
  return self
end

--- Shows a note in the buffer whose name is that of the note.
function Note.open(handle)
  local self = begin(handle)
  vim.bo[handle].modifiable = false
  if client.wait_ready() then
    self:_load()
    vim.wait(config.get().answer_wait_ms, function()
      return not self.is_loading
    end, 2)
  else
    self.trouble = client.link().trouble or 'not connected'
    client.tell(('%s: %s; it is shown as soon as the daemon is there'):format(self.wanted, self.trouble), levels.WARN)
  end
  return self
end

--- Follows a note that was made of what the buffer shows.
function Note.made(handle, note)
  local self = begin(handle)
  self:show_text(note.text)
  self:start(note)
  return self
end

--- Asks for the note and shows it. Only one question is under way: what shows the note may wait for the daemon itself.
function Note:_load()
  if self.is_loading or self.buffer or self.closed then
    return
  end
  local params = identity.is_note_id(self.wanted) and { id = self.wanted } or { name = self.wanted }
  local draft = params.name and drafts.take_new(self, params.name)
  if draft then
    self:show_new(draft)
    return
  end
  self.is_loading = true
  client.request('note.get', params, function(err, result)
    self.is_loading = false
    if self.closed then
      return
    elseif not err then
      self:show(result.note)
    elseif err.kind == 'note_not_found' and params.name then
      self:show_new()
    else
      self:_not_loaded(err)
    end
  end)
end

--- Tells why the note is not shown, once, and tries again after a while, or when there is a connection.
function Note:_not_loaded(err)
  if err.kind ~= 'closed' then
    if self.trouble ~= err.message then
      client.tell(self.wanted .. ': ' .. err.message, levels.ERROR)
    end
    self:later(err, self._load)
  end
  self.trouble = err.message
end

--- Does something again: soon where the daemon has too much to do, else after some seconds.
function Note:later(err, action)
  vim.defer_fn(function()
    if not self.closed then
      action(self)
    end
  end, err.kind == 'overloaded' and retry_ms or 10 * retry_ms)
end

function Note:show_text(text)
  self.trouble = nil
  self.buffer = Buffer.new(self.handle, text, function()
    self:typed()
  end, function(made)
    if self.session then
      self.session:found(made)
    end
  end)
end

--- Follows the note from a version that was shown here, or in the editor that ended: that one had sent `flight`.
function Note:start(note, flight)
  self.session = Session.new(self:_host(), note)
  if note.deleted then
    self.session.gone = note.version
  end
  self.session.flight, self.session.held = flight, self.has_draft
  if client.link():is_ready() then
    self.session:connected_now()
  end
  local can_write = not client.hello or client.hello.access ~= 'read'
  vim.bo[self.handle].modifiable = can_write
  if not can_write then
    self:tell('may only be read', levels.WARN)
  end
end

-- What the session needs.

--- The text shown; the session has been told of all that was typed.
function Note:text()
  return self.closed and self.buffer.text or self.buffer:capture()
end

--- The buffer as the session sees it.
function Note:_host()
  local function method(name)
    return function(...)
      return self[name](self, ...)
    end
  end
  return {
    text = method('text'), tell = method('tell'), changed = method('changed'), parted = method('parted'),
    renamed = method('renamed'),
    apply = function(made)
      self.buffer:apply(made)
    end,
    when_free = function(action)
      self.buffer:when_free(action)
    end,
    request = function(...)
      return client.link():request(...)
    end,
    sending = function()
      drafts.sending(self)
    end,
    later = function(ms, action)
      vim.defer_fn(action, ms)
    end,
    now_ms = require('notesd.uv').now,
    op = identity.op,
  }
end

function Note:tell(message, level)
  client.tell(('%s: %s'):format(self:name(), message), level)
end

--- The note's text lies in two states that have nothing in common: shows the daemon's beside.
function Note:parted(note)
  self:tell('this text and the daemon\'s have parted. :write! keeps this one' ..
    (note and '; the other is shown beside' or ' as a new note'), levels.ERROR)
  if note then
    require('notesd.scratch').show_beside(('notes://%s (daemon)'):format(self:name()), note.text or '')
  end
end

--- The note has another name now, and its buffer with it: `:edit` would look for the old one.
function Note:renamed()
  local old, new = self.wanted, self.session.name or self.session.id
  if self.closed or old == new or not api.nvim_buf_is_valid(self.handle) then
    return
  end
  self.wanted = new
  if not pcall(api.nvim_buf_set_name, self.handle, 'notes://' .. new) then
    self.wanted = old
    return
  end
  -- Neovim keeps a buffer of the old name, for CTRL-^.
  for _, handle in ipairs(api.nvim_list_bufs()) do
    if handle ~= self.handle and not api.nvim_buf_is_loaded(handle) and name_in(handle) == old then
      pcall(api.nvim_buf_delete, handle, { force = true })
    end
  end
end

--- What `status` says may be different.
function Note:changed()
  if self.closed or not api.nvim_buf_is_valid(self.handle) then
    return
  end
  local session = self.session
  local is_modified = session and (session.parted or not session:is_settled()) or false
  if vim.bo[self.handle].modified ~= is_modified then
    vim.bo[self.handle].modified = is_modified
  end
  drafts.follow(self)
  presence.draw(self)
  presence.moved()
  if not self.is_drawing then
    self.is_drawing = true
    vim.schedule(function()
      self.is_drawing = false
      vim.cmd('redrawstatus!')
    end)
  end
end

-- What happens.

function Note:name()
  return self.session and self.session.name or self.wanted
end

function Note:typed()
  if self.session then
    if self:text() ~= self.session.shadow or self.session.dirty_ms then
      self.session:typed()
    end
    presence.moved()
  elseif self.is_new and (self:text() ~= '' or self.creation) then
    self:create()
  end
  drafts.follow(self)
end

function Note:connected()
  if self.session then
    self.session:connected_now()
  elseif self.is_new then
    self:typed()
  else
    self:_load()
  end
end

--- Who else is there is not known any more.
function Note:forget_others()
  presence.forget(self)
end

function Note:lost()
  self:forget_others()
  if self.session then
    self.session:lost()
  end
end

--- Sends what is left and calls `done(err, version)` when all that is shown is on disk. `insist` also where the note was deleted, or is
--- not the one that was opened.
function Note:save(insist, done)
  if not self.buffer then
    done(self.trouble or 'not loaded')
  elseif self.is_new then
    self.savers[#self.savers + 1] = done
    self:create()
  elseif insist then
    self.session:insist(done)
  else
    self.session:save(done)
  end
end

--- BufWriteCmd: waits a moment, so that `:wq` knows; what takes longer is told later.
function Note:write(insist)
  local is_done, is_late = false, false
  if self.buffer then
    self:text()
  end
  self:save(insist, function(err, version)
    is_done = true
    if err then
      self:tell('not saved: ' .. err, levels.ERROR)
      return
    end
    vim.bo[self.handle].modified = false
    self:tell(('durable%s, version %s'):format(is_late and ' now' or '', version))
  end)
  vim.wait(config.get().write_wait_ms, function()
    return is_done
  end, 1)
  if not is_done then
    is_late = true
    vim.bo[self.handle].modified = true
    self:tell('not acknowledged yet; you will be told', levels.WARN)
  end
end

--- `new`, `loading`, or what the session says; and what is wrong, if anything.
function Note:status()
  if self.session then
    return self.session:status()
  elseif self.is_new then
    return client.link():is_ready() and 'new' or 'offline', self.trouble
  end
  return client.link():is_ready() and 'loading' or 'offline', self.trouble
end

require('notesd.note_show')(Note)
require('notesd.note_new')(Note)
require('notesd.note_end')(Note)

return Note
