--- An open note: connects its buffer and its session, and handles what the editor asks of them.

local api = vim.api
local Buffer = require('notesd.buffer')
local Session = require('notesd.session')
local client = require('notesd.client')
local config = require('notesd.config')
local drafts = require('notesd.drafts')
local identity = require('notesd.identity')
local notices = require('notesd.notices')
local presence = require('notesd.presence')
local levels = vim.log.levels

local Note = {}
Note.__index = Note

local retry_ms = 500

--- The open note of a buffer, or nil; 0 means the current buffer.
function Note.of(handle)
  return client.open[handle == 0 and api.nvim_get_current_buf() or handle]
end

--- The open note with an id, or nil.
function Note.with_id(id)
  for _, note in pairs(client.open) do
    if note.session and note.session.id == id then
      return note
    end
  end
  return nil
end

--- The note's name or id in a buffer's name.
local function name_in(handle)
  return (api.nvim_buf_get_name(handle):gsub('^notes://', ''))
end

--- Prepares a buffer to show a note.
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

--- Shows a note in the buffer that is named after it.
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
    client.tell(('%s: %s; the note will appear when the daemon is running'):format(self.wanted, self.trouble), levels.WARN)
  end
  return self
end

--- Follows a note that was created from the buffer's text.
function Note.made(handle, note)
  local self = begin(handle)
  self:show_text(note.text)
  self:start(note)
  return self
end

--- Requests the note and shows it. At most one load is under way, since showing the note may itself
--- wait for the daemon.
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

--- Reports once why the note is not shown. Tries again after a delay or after reconnecting.
function Note:_not_loaded(err)
  if err.kind ~= 'closed' then
    if self.trouble ~= err.message then
      client.tell(self.wanted .. ': ' .. err.message, levels.ERROR)
    end
    self:later(err, self._load)
  end
  self.trouble = err.message
end

--- Runs an action again: after 0.5 s if the daemon is overloaded, else after 5 s.
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

--- Follows the note from a version that was shown here. If another editor showed it before and then
--- ended, `flight` is the write that it had sent.
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
    self:tell('is read-only for you', levels.WARN)
  end
end

-- What the session needs.

--- The text shown. All that was typed has been passed to the session.
function Note:text()
  return self.closed and self.buffer.text or self.buffer:capture()
end

--- The `host` of the session.
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

--- No text shown here is known to the daemon: shows the daemon's text in a second window.
function Note:parted(note)
  self:tell('the daemon does not know the text shown here. :write! keeps it' ..
    (note and '; the daemon\'s text is in a second window' or ' as a new note'), levels.ERROR)
  if note then
    require('notesd.scratch').show_beside(('notes://%s (daemon)'):format(self:name()), note.text or '')
  end
end

--- Renames the buffer after its note; otherwise `:edit` would open the old name.
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
  -- Neovim keeps a buffer with the old name, for CTRL-^.
  for _, handle in ipairs(api.nvim_list_bufs()) do
    if handle ~= self.handle and not api.nvim_buf_is_loaded(handle) and name_in(handle) == old then
      pcall(api.nvim_buf_delete, handle, { force = true })
    end
  end
end

--- Call this when `status` may have changed.
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
  notices.show_conflicts(self)
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

-- Events.

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

--- Forgets who else has the note open.
function Note:forget_others()
  presence.forget(self)
end

function Note:lost()
  self:forget_others()
  if self.session then
    self.session:lost()
  end
end

--- Sends what is left, and calls `done(err, version)` when everything shown is on disk. With
--- `insist`, it also saves a note that was deleted, or whose text the daemon does not know.
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

--- BufWriteCmd: waits `write_wait_ms`, so that `:wq` knows the outcome. A later outcome is reported
--- in a message.
function Note:write(insist)
  local is_done = false
  if self.buffer then
    self:text()
  end
  self:save(insist, function(err)
    is_done = true
    if err then
      self:tell('not saved: ' .. err, levels.ERROR)
      return
    end
    vim.bo[self.handle].modified = false
    self:tell('saved durably')
  end)
  vim.wait(config.get().write_wait_ms, function()
    return is_done
  end, 1)
  if not is_done then
    vim.bo[self.handle].modified = true
    self:tell('not acknowledged yet; a message will follow', levels.WARN)
  end
end

--- `new`, `loading` or the session's status; and the trouble, if any.
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
