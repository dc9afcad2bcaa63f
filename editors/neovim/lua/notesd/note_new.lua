--- A note that does not exist yet: the plugin creates it with the first text, or when the user
--- saves.

local api = vim.api
local client = require('notesd.client')
local drafts = require('notesd.drafts')
local identity = require('notesd.identity')
local utf8 = require('notesd.utf8')
local levels = vim.log.levels

return function(Note)
  --- Shows an empty text, or the draft of an editor that ended before it created the note or before
  --- it got the response.
  function Note:show_new(draft)
    self.is_new, self.draft = true, nil
    self:show_text(draft and draft.text or '')
    vim.bo[self.handle].modifiable = true
    if not draft then
      client.tell(self.wanted .. ': new note')
      return
    end
    client.tell(self.wanted .. ': sending an unsent draft')
    self.new_id, self.creation, self.is_resumed = draft.id, draft.flight, true
    self:typed()
  end

  --- The id that the note will have.
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

  --- Creates the note with the text shown. Resends an unanswered creation unchanged; the daemon
  --- recognizes its `op`.
  function Note:create()
    if self.is_creating then
      return
    end
    self.is_creating = true
    if not self.creation then
      local text, id = self:text(), self:name_new()
      -- Text that cannot be sent is reported once the note exists, as in any note.
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

  --- The note exists. If an earlier request created it, the response has the version of that
  --- request's text.
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

  --- Handles a name or an id that is taken.
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
        -- The daemon created the note but no longer remembers the op, so nobody knows what of the
        -- text it has.
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

  --- Somebody else has created a note with this name: appends what was typed here to its text.
  function Note:_join(note)
    self.is_new = false
    self.buffer:capture()
    self.buffer:apply({ { start = 0, stop = 0, text = note.text } })
    self:start(note)
    self:_started()
  end

  --- The same, if that note is open in another buffer.
  function Note:_join_open(other)
    local text = self:text()
    local at = #other:text()
    self.is_new = false
    other.buffer:own({ { start = at, stop = at, text = text } })
    self:_answer_new('the note ' .. other:name() .. ' is already open')
    drafts.forget(self)
    self:give_way(other)
  end
end
