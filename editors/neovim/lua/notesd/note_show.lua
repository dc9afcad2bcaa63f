--- How a note that the daemon has comes into its buffer: as it is, or as another editor left it in a draft.

local api = vim.api
local client = require('notesd.client')
local drafts = require('notesd.drafts')
local levels = vim.log.levels

return function(Note)
  --- The note is open in another buffer: that one is shown in place of this. Two would not hear of each other.
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

  --- What the daemon answers where it has lost a version, or the note: only then there is no going on from it.
  local is_gone = { note_not_found = true, unknown_base = true, revision_gone = true }

  function Note:show(note)
    local other = Note.with_id(note.id)
    if other then
      self:give_way(other)
      return
    end
    self.draft = self.draft or drafts.take(self, note.id)
    local draft = self.draft
    if not draft then
      self:_show_as_is(note)
    elseif not draft.base then
      self:show_new(draft)
    elseif draft.base == note.version then
      self:_go_on(note, draft, note.text)
    else
      self.is_loading = true
      client.request('note.get', { id = note.id, at = draft.base }, function(err, result)
        self.is_loading = false
        if self.closed then
          return
        elseif not err then
          self:_go_on(note, draft, result.note.text)
        elseif is_gone[err.kind] then
          self:show_beside(draft)
          self:_show_as_is(note)
        else
          self:_not_loaded(err)
        end
      end)
    end
  end

  function Note:_show_as_is(note)
    if note.deleted then
      self:tell('is deleted; :write! brings it back', levels.WARN)
    end
    self:show_text(note.text)
    self:start(note)
  end

  --- Goes on where another editor ended; `base_text` is the text of the version that was shown there.
  function Note:_go_on(note, draft, base_text)
    self.draft = nil
    self:show_text(draft.text)
    self:tell('a draft that had not been sent is sent now')
    self:start({ id = note.id, name = note.name, version = draft.base, text = base_text }, draft.flight)
    self:typed()
  end

  --- The daemon does not know what a draft was written on: the user has to see to it.
  function Note:show_beside(draft)
    self.draft = nil
    local path = drafts.set_aside(self)
    require('notesd.scratch').show_beside(('notes://%s (draft)'):format(self.wanted), draft.text)
    self:tell('the version that a draft was written on is gone; the draft is shown beside, and is in ' .. path, levels.WARN)
  end
end
