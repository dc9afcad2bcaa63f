--- How a session handles errors: it tries again, goes back to a version that the daemon knows, or
--- shows both texts.

local edits = require('notesd.edits')
local levels = vim.log.levels
local retry_ms = 500

return function(Session)
  --- Reports an error and stops sending until the user saves or the connection is new. With
  --- `until_typed`, a change of the text ends this too; without it, a retry after 5 s does.
  function Session:_refused(message, until_typed)
    self.trouble = message
    self.refused_text = until_typed and self.host.text() or nil
    if self.told ~= message then
      self.told = message
      self.host.tell(message, levels.ERROR)
    end
    self:_answer_savers(message)
    self.host.changed()
    if not until_typed then
      self.host.later(10 * retry_ms, function()
        self:retry()
      end)
    end
  end

  --- Tries again after an error.
  function Session:retry()
    if self.trouble and not self.parted then
      self.trouble = nil
      self:advance()
    end
  end

  --- Repeats the request after a delay.
  function Session:_again_later()
    self.trouble = 'the daemon is overloaded'
    self.host.later(retry_ms, function()
      self:retry()
    end)
  end

  local unknown = { unknown_base = true, revision_gone = true, note_not_found = true }

  function Session:_failed(err)
    if err.kind == 'overloaded' then
      self:_again_later()
    elseif unknown[err.kind] then
      self:_go_back(err)
    else
      self:_refused(err.message)
    end
  end

  --- Handles an error for a write. The write changed nothing; its text is still in the text shown.
  function Session:_write_failed(err, flight)
    if err.kind == 'overloaded' then
      self:_again_later()
      return
    end
    self.flight = nil
    if flight.done then
      flight.done(err)
      if unknown[err.kind] then
        self:_failed(err)
      end
      return
    end
    self.pending = edits.compose(flight.edits or {}, self.pending)
    self.resolving = flight.params.resolves or {}
    self.dirty_ms = self.dirty_ms or self.host.now_ms()
    if err.kind == 'invalid_edit' then
      -- The daemon cannot apply an edit only if the shadow is wrong.
      self.doubt = true
      self:_check()
    elseif err.kind == 'note_too_large' or err.kind == 'line_too_long' then
      self:_refused(err.message, true)
    else
      self:_failed(err)
    end
  end

  --- Handles a version that the daemon does not know: continues from the newest shown text that it
  --- does know. Everything after that counts as typed here, and is sent as a whole text.
  function Session:_go_back(err)
    local kept = table.remove(self.kept)
    if not kept or err.kind == 'note_not_found' then
      self:_part(err)
      return
    end
    self:_ask('reading', 'note.get', { id = self.id, at = kept.version }, function(failure, result)
      if failure and failure.kind == 'overloaded' then
        table.insert(self.kept, kept)
        self:_again_later()
        return
      elseif failure or result.note.text ~= kept.text then
        self:_go_back(failure or err)
        return
      end
      self.shadow, self.version = kept.text, kept.version
      self.held, self.latest, self.doubt = true, '?', false
      self.dirty_ms = self.dirty_ms or self.host.now_ms()
      self.host.tell('the daemon has an older state; sending again what it does not have', levels.WARN)
    end)
  end

  --- The daemon knows no text that was shown: shows both texts to the user, who decides. The
  --- session sends nothing by itself.
  function Session:_part(err)
    self.parted = true
    self.trouble = 'the daemon does not know the text shown here (' .. err.message .. ')'
    self:_answer_savers(self.trouble)
    self.host.request('note.get', { id = self.id }, function(failure, result)
      local note = not failure and result.note or nil
      self.parted_from = note
      self.host.parted(note)
    end)
    self.host.changed()
  end

  --- Saves the text shown here because the user insists, after a warning that the daemon does not
  --- know it or that the note is deleted.
  function Session:insist(done)
    local text = self.host.text()
    local other = self.parted_from
    local params = { id = self.id, text = text, op = self.host.op(), name = self.name }
    local method = 'note.save'
    if self.gone then
      params.base = self.gone
    elseif self.parted and other then
      params.base = other.version
      params.name = nil
    elseif self.parted then
      method = 'note.create'
    else
      self:save(done)
      return
    end
    self.parted, self.trouble, self.parted_from = false, nil, nil
    self.savers[#self.savers + 1] = done
    self.flight = { method = method, params = params, text = text }
    self.pending, self.dirty_ms, self.latest = {}, nil, nil
    self:advance()
  end
end
