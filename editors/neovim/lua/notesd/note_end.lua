--- Closes a note: a write under way still gets its response, and unsent text stays on disk.

local api = vim.api
local client = require('notesd.client')
local drafts = require('notesd.drafts')
local presence = require('notesd.presence')

return function(Note)
  --- Sends what can still be sent.
  function Note:_send_last()
    if self.buffer and api.nvim_buf_is_loaded(self.handle) then
      self:typed()
    end
  end

  --- Closes the note when its buffer goes away.
  function Note:close()
    if self.closed then
      return
    end
    self:_send_last()
    drafts.keep(self)
    self.closed = true
    if self.buffer then
      self.buffer.closed = true
    end
    local session, flight = self.session, self.session and self.session.flight
    local is_all = flight ~= nil and flight.text == self.buffer.text
    if self.has_draft and not (is_all and session.connected) then
      self:tell('closed with unsent text; it is kept on disk and sent when you open the note again', vim.log.levels.WARN)
    end
    if session and session.watch then
      client.link():request('notes.unwatch', { watch = session.watch }, function() end)
    end
    if session then
      session:close(function()
        if is_all then
          drafts.acknowledged(self)
        end
      end)
    end
    drafts.release(self)
    presence.left(self)
    presence.forget(self)
    require('notesd.notices').forget(self)
    require('notesd.attach').release(self)
    if client.open[self.handle] == self then
      client.open[self.handle] = nil
    end
  end
end
