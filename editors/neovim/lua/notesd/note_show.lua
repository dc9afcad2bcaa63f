--- Loads an existing note into its buffer, or the draft of it that another editor left.

local api = vim.api
local client = require('notesd.client')
local drafts = require('notesd.drafts')
local half_typed = require('notesd.half_typed')
local levels = vim.log.levels

--- Interval at which the next draft of a note waits for the one before.
local next_draft_ms = 50

return function(Note)
  --- Shows `other`, which already has this note open, in place of this buffer. Two buffers with one
  --- note would not see each other's changes.
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

  --- Errors by which the daemon says that it lost the version or the note. Only these make a draft
  --- unusable.
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

  --- Continues from a draft of another editor; `base_text` is the text of the draft's base.
  function Note:_go_on(note, draft, base_text)
    self.draft = nil
    self:show_text(draft.text)
    self:tell('sending an unsent draft')
    self:start({ id = note.id, name = note.name, version = draft.base, text = base_text }, draft.flight)
    self:typed()
  end

  --- Whether everything shown is acknowledged, and the user is in no command, so that the note can be
  --- shown anew.
  function Note:_is_at_rest()
    local session = self.session
    return session ~= nil and session.connected and session:status() == 'synced' and self:text() == session.shadow
      and api.nvim_get_mode().mode == 'n' and not half_typed.buffer()
  end

  --- Takes the next draft of this note when the draft taken first is acknowledged, by showing the note
  --- anew.
  function Note:next_draft_later()
    vim.defer_fn(function()
      if self.closed or not api.nvim_buf_is_valid(self.handle) then
        return
      elseif not self:_is_at_rest() then
        self:next_draft_later()
        return
      end
      local views = {}
      for _, window in ipairs(vim.fn.win_findbuf(self.handle)) do
        views[window] = api.nvim_win_call(window, vim.fn.winsaveview)
      end
      Note.open(self.handle)
      for window, view in pairs(views) do
        api.nvim_win_call(window, function()
          vim.fn.winrestview(view)
        end)
      end
    end, next_draft_ms)
  end

  --- Shows a draft whose base the daemon does not know in a second window; the user decides.
  function Note:show_beside(draft)
    self.draft = nil
    local path = drafts.set_aside(self)
    require('notesd.scratch').show_beside(('notes://%s (draft)'):format(self.wanted), draft.text)
    self:tell('the version that a draft is based on is gone; the draft is in a second window and in ' .. path, levels.WARN)
  end
end
