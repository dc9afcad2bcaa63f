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

--- How long opening a note waits for the daemon.
local open_ms = 2000
local retry_ms = 500

--- The open note of a buffer; that of the current one for 0. nil where it shows none.
function Note.of(handle)
  return client.open[handle == 0 and api.nvim_get_current_buf() or handle]
end

--- What a buffer's name says: the note's name, or its id.
local function name_in(handle)
  return (api.nvim_buf_get_name(handle):gsub('^notes://', ''))
end

--- Shows a note in the buffer whose name is that of the note.
function Note.open(handle)
  local self = setmetatable({ handle = handle, wanted = name_in(handle) }, Note)
  local before = client.open[handle]
  if before then
    before:close()
  end
  client.open[handle] = self
  local options = vim.bo[handle]
  options.buftype, options.swapfile, options.undofile = 'acwrite', false, false
  options.fileencoding, options.bomb = 'utf-8', false
  options.modifiable = false
  require('notesd.attach').buffer(self)
  if client.wait_ready(open_ms) then
    self:_load()
    vim.wait(open_ms, function()
      return not self.is_loading
    end, 2)
  else
    self.trouble = client.link().trouble or 'not connected'
    client.tell(('%s: %s; it is shown as soon as the daemon is there'):format(self.wanted, self.trouble), levels.WARN)
  end
  return self
end

--- Asks for the note and shows it. Only one question is under way: what shows the note may wait for the daemon itself.
function Note:_load()
  if self.is_loading or self.buffer then
    return
  end
  self.is_loading = true
  local params = identity.is_note_id(self.wanted) and { id = self.wanted } or { name = self.wanted }
  client.request('note.get', params, function(err, result)
    if self.closed then
      return
    elseif not err then
      self:_show(result.note)
    elseif err.kind == 'note_not_found' and params.name then
      self:_show_new()
    else
      self:_not_loaded(err)
    end
    self.is_loading = false
  end)
end

--- Tells why the note is not shown, once, and tries again after a while, or when there is a connection.
function Note:_not_loaded(err)
  if err.kind ~= 'closed' then
    if self.trouble ~= err.message then
      client.tell(self.wanted .. ': ' .. err.message, levels.ERROR)
    end
    self:_later(err, self._load)
  end
  self.trouble = err.message
end

--- Does something again: soon where the daemon has too much to do, else after some seconds.
function Note:_later(err, action)
  vim.defer_fn(function()
    if not self.closed then
      action(self)
    end
  end, err.kind == 'overloaded' and retry_ms or 10 * retry_ms)
end

function Note:_buffer(text)
  self.trouble = nil
  self.buffer = Buffer.new(self.handle, text, function()
    self:typed()
  end, function(made)
    if self.session then
      self.session:found(made)
    end
  end)
end

--- The text that a draft was written on, if the daemon still has it; nil else.
local function base_of(draft, note)
  if draft.base == note.version then
    return note.text
  end
  local err, result = client.ask('note.get', { id = note.id, at = draft.base }, open_ms)
  return not err and result.note.text or nil
end

function Note:_show(note)
  local draft = drafts.take(note.id)
  local base = draft and base_of(draft, note)
  local text = base and draft.text or note.text
  if draft and not base then
    require('notesd.scratch').show(('notes://%s (draft)'):format(self.wanted), draft.text)
    self:tell('the version that a draft was written on is gone; the draft is shown beside', levels.WARN)
  end
  if note.deleted then
    self:tell('is deleted; :write! brings it back', levels.WARN)
  end
  self:_buffer(text)
  self:_start(base and { id = note.id, name = note.name, version = draft.base, text = base } or note)
  if base then
    self.session.held = true
    self:tell('a draft that had not been sent is sent now')
    self.session:typed()
  end
end

--- A name that no note has: it is made with the first text, or when it is saved.
function Note:_show_new()
  self.is_new = true
  self:_buffer('')
  vim.bo[self.handle].modifiable = true
  client.tell(self.wanted .. ': new note')
end

function Note:_start(note)
  self.session = Session.new(self:_host(), note)
  if note.deleted then
    self.session.gone = note.version
  end
  if client.link():is_ready() then
    self.session:connected_now()
  end
  self:_check_access()
end

function Note:_check_access()
  local can_write = not client.hello or client.hello.access ~= 'read'
  vim.bo[self.handle].modifiable = can_write
  if not can_write then
    self:tell('may only be read', levels.WARN)
  end
end

--- Makes the note that is new. `done(err, version)`, if there, is called when what is shown is on disk.
function Note:_create(done)
  if self.is_creating then
    return
  end
  self.is_creating = true
  self.new_id = self.new_id or identity.note_id()
  client.request('note.create', { text = '', name = self.wanted, id = self.new_id, op = self.new_id }, function(err, result)
    self.is_creating = false
    if self.closed then
      return
    elseif not err then
      self.is_new = false
      self:_start(vim.tbl_extend('force', result.note, { text = '' }))
      self:typed()
    elseif err.kind == 'note_exists' then
      self:_join(err.data.id)
    elseif err.kind ~= 'closed' then
      self.trouble = err.message
      self:tell(err.message, levels.ERROR)
      self:_later(err, self.typed)
    end
    if done and err and err.kind ~= 'note_exists' then
      done(err.message)
    elseif done and self.session then
      self.session:save(done)
    end
  end)
end

--- Somebody else made a note of this name meanwhile: what was typed here goes behind what it has.
function Note:_join(id)
  client.request('note.get', { id = id }, function(err, result)
    if err or self.closed or not self.is_new then
      return
    end
    self.is_new = false
    self.buffer:capture()
    self.buffer:apply({ { start = 0, stop = 0, text = result.note.text } })
    self:_start(result.note)
    self:typed()
  end)
end

-- What the session needs.

--- The text shown; the session has been told of all that was typed.
function Note:text()
  return self.buffer:capture()
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
    apply = function(made)
      self.buffer:apply(made)
    end,
    when_free = function(action)
      self.buffer:when_free(action)
    end,
    request = function(...)
      return client.link():request(...)
    end,
    later = function(ms, action)
      vim.defer_fn(action, ms)
    end,
    now_ms = vim.loop.now,
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
    require('notesd.scratch').show(('notes://%s (daemon)'):format(self:name()), note.text or '')
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
  elseif self.is_new and self:text() ~= '' then
    self:_create()
  end
end

function Note:connected()
  if self.session then
    self.session:connected_now()
  elseif not self.buffer then
    self:_load()
  elseif self.is_new and self:text() ~= '' then
    self:_create()
  end
end

function Note:lost()
  presence.forget(self)
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
    self:_create(done)
  elseif insist then
    self.session:insist(done)
  else
    self.session:save(done)
  end
end

--- BufWriteCmd: waits a moment, so that `:wq` knows; what takes longer is told later.
function Note:write(insist)
  local is_done, is_late = false, false
  self:text()
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

--- The buffer goes away.
function Note:close()
  if self.closed then
    return
  end
  drafts.keep(self)
  self.closed = true
  if self.buffer then
    self.buffer.closed = true
  end
  if self.session and self.session.watch then
    client.link():request('notes.unwatch', { watch = self.session.watch }, function() end)
    self.session.connected = false
  end
  presence.left(self)
  if client.open[self.handle] == self then
    client.open[self.handle] = nil
  end
end

return Note
