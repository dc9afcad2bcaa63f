--- `:write`: reports when everything shown is on disk, or why it is not.

local client = require('notesd.client')
local config = require('notesd.config')
local levels = vim.log.levels

return function(Note)
  --- Calls `done(err, version)` when everything shown is on disk. With `insist`, it also saves a note that
  --- was deleted, or whose text the daemon does not know.
  function Note:save(insist, done)
    if not self.buffer then
      done(self.trouble or 'not loaded')
      return
    end
    self:text()
    if self.bad then
      done(self.bad)
    elseif self.is_parted and not insist then
      done('the daemon does not know the text; :write! keeps it')
    elseif self.is_parted or not self.is_open then
      self:_save_opened(done)
    elseif self.deleted and not insist and self:is_settled() then
      done('the note is deleted; :write! brings it back')
    elseif self.deleted and self:is_settled() then
      client.request('buffer.restore', { buffer = self.number }, function(err)
        if err then
          done(err.message)
        else
          self:_save_now(done)
        end
      end)
    else
      self:_save_now(done)
    end
  end

  function Note:_save_now(done)
    client.request('buffer.save', { buffer = self.number }, function(err, result)
      done(err and err.message, result and result.version)
    end)
  end

  --- Opens the note first: a new one, one whose text the user insists on, or one whose host is starting.
  function Note:_save_opened(done)
    if not client.is_up then
      done(client.trouble())
      return
    end
    self.savers[#self.savers + 1] = done
    self.insists, self.is_parted = self.is_parted or self.insists, false
    self:load()
  end

  --- Goes on with those who wait until the note is open.
  function Note:answer_savers(err)
    local savers = self.savers
    self.savers = {}
    for _, done in ipairs(savers) do
      if err then
        done(err)
      else
        self:save(true, done)
      end
    end
  end

  --- BufWriteCmd: waits `write_wait_ms`, so that `:wq` knows the outcome. A later outcome is reported
  --- in a message.
  function Note:write(insist)
    local is_done = false
    self:save(insist, function(err)
      is_done = true
      if err then
        self:tell('not saved: ' .. err, levels.ERROR)
        return
      end
      self:tell('saved durably')
      self:changed()
    end)
    vim.wait(config.get().write_wait_ms, function()
      return is_done
    end, 1)
    if not is_done then
      vim.bo[self.handle].modified = true
      self:tell('not acknowledged yet; a message will follow', levels.WARN)
    end
  end
end
