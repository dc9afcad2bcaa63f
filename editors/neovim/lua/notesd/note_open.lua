--- Opens a note in the host, for the first time or again, and closes it.

local api = vim.api
local client = require('notesd.client')
local presence = require('notesd.presence')
local utf8 = require('notesd.utf8')
local uuid = require('notesd.uuid')
local uv = require('notesd.uv')
local levels = vim.log.levels

--- Delay of another attempt after the daemon refused to open a note.
local retry_ms = 5000
--- How long a new text may be in no draft while the daemon is away.
local kept_ms = 500

return function(Note)
  --- Opens the note in the host. At most one attempt is under way.
  function Note:load()
    if self.is_loading or self.is_open or self.closed then
      return
    end
    self.is_loading, self.is_step = true, false
    local params, text = { buffer = self.number }, self.buffer and self:text()
    if self.is_new then
      self.new_id = self.new_id or uuid.new()
      -- Text that cannot be sent is reported once the note exists, as in any note.
      text = utf8.first_bad(text) and '' or text
      params.create = { id = self.new_id, name = self.wanted, text = text }
    elseif self.id or uuid.is_valid(self.wanted) then
      params.id = self.id or self.wanted
    else
      params.name = self.wanted
    end
    if self.writer and not self.insists then
      params.resume = {
        versions = self.shown .. (self.saved and self.saved ~= self.shown and ' ' .. self.saved or ''), writer = self.writer,
        text = text, age = self.since and math.floor((uv.now() - self.since) / 1000) or 0,
      }
    end
    client.request('buffer.open', params, function(err, result)
      self.is_loading = false
      if self.closed then
        self:_close_in_host()
      elseif err then
        self:_not_opened(err, params)
      else
        self:_opened(result, text)
        self:changed()
      end
    end)
  end

  --- Creates the note. While the daemon is away, the host keeps the text of each attempt.
  function Note:create_soon()
    if client.is_up then
      self:load()
    elseif not self.is_creating then
      self.is_creating = true
      vim.defer_fn(function()
        self.is_creating = false
        self:load()
      end, kept_ms)
    end
  end

  function Note:_not_opened(err, params)
    if err.kind == 'note_not_found' and params.name and not self.buffer then
      self.is_new = true
      self:show_text('')
      client.tell(self.wanted .. ': new note')
    elseif err.kind == 'note_not_found' and self.buffer and not self.is_new then
      -- The daemon lost the note.
      self:parted('')
    elseif err.code == 7002 and params.create and params.create.text ~= self:text() then
      self:create_soon()
    elseif err.kind ~= 'closed' and err.code ~= 7002 then
      if self.trouble ~= err.message then
        client.tell(self.wanted .. ': ' .. err.message, levels.ERROR)
      end
      vim.defer_fn(function()
        self:load()
      end, retry_ms)
    end
    self.trouble = err.message
    self:answer_savers(err.message)
  end

  --- @param result table the host's response
  --- @param known string? the text that the host got with the request, if any
  function Note:_opened(result, known)
    if result.parted then
      self:parted(result.parted.text)
      return
    end
    local is_first = not self.buffer
    local is_resumed = result.draft or (not is_first and not self.is_new and not self.insists)
    self.is_open, self.n, self.step_k, self.trouble, self.refused = true, 0, 0, nil, nil
    -- After a resume, the host reports when everything is on disk.
    self.saved_n = is_resumed and -1 or 0
    self.id, self.writer, client.writer = result.id, result.writer, result.writer
    self.version, self.shown = result.version, result.version
    if not self.buffer then
      self:show_text(result.text, result.lineEnds == 'crlf')
      if result.draft then
        self.since = uv.now()
        self:tell('sending an unsent draft')
      end
      known = result.text
    elseif self.is_new then
      known = self:_join(result, known)
    elseif self.insists then
      known = result.text
    end
    self.is_new, self.insists, self.is_parted = false, false, false
    self:set_state(result)
    if result.deleted then
      self:tell('is deleted; :write! brings it back', levels.WARN)
    end
    if self:text() ~= known then
      self:_send_all()
    elseif not is_resumed then
      self.since = nil
    end
    presence.moved()
    self:answer_savers(nil)
  end

  --- Handles the response to a creation. If somebody else had created a note with this name, what was
  --- typed here comes after its text. Returns the text that the host has.
  function Note:_join(result, known)
    if not result.existed or result.text == known then
      return known
    end
    local end_of_theirs = result.text:sub(-1)
    local text = result.text .. ((end_of_theirs == '' or end_of_theirs == '\n') and '' or '\n')
    self.buffer:apply({ { { 0, 0 }, { 0, 0 }, text } })
    return result.text
  end

  --- Closes the note when its buffer goes away. The host sends the rest, or keeps it as a draft.
  function Note:close()
    if self.closed then
      return
    end
    if self.buffer and api.nvim_buf_is_loaded(self.handle) then
      self:typed()
      if self.is_new and self:text() ~= '' then
        self:load()
      end
    end
    self.closed = true
    if self.buffer then
      self.buffer.closed = true
    end
    if self.is_open then
      self:_close_in_host()
    end
    presence.forget(self)
    require('notesd.notices').forget(self)
    require('notesd.attach').release(self)
    if client.open[self.handle] == self then
      client.open[self.handle] = nil
    end
    client.numbered[self.number] = nil
  end

  --- The user tries to close the window. Neovim refuses that with an error if text is not acknowledged;
  --- a message then adds that the text is safe.
  function Note:quitting()
    vim.schedule(function()
      if not self.closed and self.buffer and vim.bo[self.handle].modified and vim.fn.bufwinid(self.handle) ~= -1 then
        self:tell('the unsent text is sent, or kept as a draft; :q! loses nothing', levels.WARN)
      end
    end)
  end

  function Note:_close_in_host()
    client.request('buffer.close', { buffer = self.number }, function(_, result)
      if result and result.draft then
        self:tell('closed with unsent text; it is kept on disk and sent when you open the note again', levels.WARN)
      end
    end)
  end
end
