--- A note that has a name and is not made yet: it is made with the first text, or when it is saved.

local api = vim.api
local client = require('notesd.client')
local drafts = require('notesd.drafts')
local identity = require('notesd.identity')
local utf8 = require('notesd.utf8')
local levels = vim.log.levels

return function(Note)
  --- Shows what there is of it: nothing, or the draft of an editor that ended before it was made, or before it heard that it was.
  function Note:show_new(draft)
    self.is_new, self.draft = true, nil
    self:show_text(draft and draft.text or '')
    vim.bo[self.handle].modifiable = true
    if not draft then
      client.tell(self.wanted .. ': new note')
      return
    end
    client.tell(self.wanted .. ': a draft that had not been sent is sent now')
    self.new_id, self.creation, self.is_resumed = draft.id, draft.flight, true
    self:typed()
  end

  --- The id that it will have.
  function Note:name_new()
    self.new_id = self.new_id or identity.note_id()
    return self.new_id
  end

  function Note:_answer_new(err)
    local savers = self.savers
    self.savers = {}
    for _, done in ipairs(savers) do
      done(err)
    end
  end

  --- Makes it, with what is shown. What was sent and not answered is sent again as it was: the daemon knows it by its `op`.
  function Note:create()
    if self.is_creating then
      return
    end
    self.is_creating = true
    if not self.creation then
      local text, id = self:text(), self:name_new()
      -- What cannot be sent is refused as in any note, once there is one.
      text = utf8.first_bad(text) and '' or text
      self.creation = { method = 'note.create', params = { text = text, name = self.wanted, id = id, op = id }, text = text }
    end
    drafts.sending(self)
    client.request('note.create', self.creation.params, function(err, result)
      self.is_creating = false
      if self.closed then
        if not err and self.buffer.text == self.creation.text then
          drafts.acknowledged(self)
        end
      elseif not err then
        self:_made(result)
      elseif err.kind == 'note_exists' then
        self:_exists(err.data.id)
      else
        self:_not_made(err)
      end
    end)
  end

  --- It is there. The answer of one that had been made before names the version that its text made.
  function Note:_made(result)
    local text = self.creation.text
    self.is_new, self.creation = false, nil
    self:text()
    self:start({ id = result.note.id, name = result.note.name, version = result.version or result.note.version, text = text })
    self:_started()
  end

  function Note:_started()
    local savers = self.savers
    self.savers = {}
    for _, done in ipairs(savers) do
      self.session:save(done)
    end
    self:typed()
    self:changed()
  end

  function Note:_not_made(err)
    if err.kind ~= 'closed' then
      self.creation = nil
      if self.trouble ~= err.message then
        self:tell(err.message, levels.ERROR)
      end
      self:later(err, self.typed)
    end
    self.trouble = err.message
    self:_answer_new(err.message)
  end

  --- The name, or the id, is taken.
  function Note:_exists(id)
    self.creation = nil
    local other = Note.with_id(id)
    if other then
      self:_join_open(other)
      return
    end
    self.is_creating = true
    client.request('note.get', { id = id }, function(err, result)
      self.is_creating = false
      if self.closed then
        return
      elseif err then
        self:_not_made(err)
      elseif self.is_resumed and id == self.new_id then
        -- It was made, so long ago that the daemon has forgotten how: what of the text it has cannot be known.
        self.is_new = false
        self:show_beside({ text = self:text() })
        self:_reload()
      else
        self:_join(result.note)
      end
    end)
  end

  function Note:_reload()
    local handle = self.handle
    self:close()
    vim.schedule(function()
      if api.nvim_buf_is_valid(handle) then
        Note.open(handle)
      end
    end)
  end

  --- Somebody else made a note of this name meanwhile: what was typed here goes behind what it has.
  function Note:_join(note)
    self.is_new = false
    self.buffer:capture()
    self.buffer:apply({ { start = 0, stop = 0, text = note.text } })
    self:start(note)
    self:_started()
  end

  --- The same where that note is open in another buffer.
  function Note:_join_open(other)
    local text = self:text()
    local at = #other:text()
    self.is_new = false
    other.buffer:own({ { start = at, stop = at, text = text } })
    self:_answer_new('it is the note ' .. other:name() .. ', which is open')
    drafts.forget(self)
    self:give_way(other)
  end
end
