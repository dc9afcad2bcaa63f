--- How a session processes responses: it applies others' edits to the text shown, then adopts their
--- version.

local diff = require('notesd.diff')
local edits = require('notesd.edits')
local levels = vim.log.levels

--- Maximum number and bytes of shown texts that are kept, for a daemon that does not know the
--- newest.
local kept_max, kept_bytes_max = 30, 8 * 1024 * 1024

--- Whether others' text comes before text typed at the same place. Whole lines do; otherwise they
--- would split the line.
local function lines_first(theirs)
  return theirs:sub(-1) == '\n'
end

--- The opposite, for text typed here.
local function not_lines_first(_, theirs)
  return not lines_first(theirs)
end

return function(Session)
  --- Processes the response to a write: the text sent has the response's version; after it comes
  --- what others wrote.
  function Session:_written(flight, result)
    self.flight, self.latest = nil, nil
    self.dirty_ms = self.dirty_ms or (self.host.text() ~= flight.text and self.host.now_ms() or nil)
    local note = result.note
    if flight.method == 'note.delete' and not note then
      self.gone = result.version
    elseif flight.method == 'note.delete' then
      self.latest = '?'
    else
      self.gone = nil
      self:_take_over(flight.text, result.version or note.version)
      if note and flight.method ~= 'note.create' then
        self:_take_note(self.shadow, note)
      end
    end
    if flight.done then
      self.latest = not self.gone and '?' or nil
      flight.done(nil, result)
    end
  end

  --- Sets the open conflicts, and tells the user about new ones.
  function Session:_conflicts_are(conflicts)
    local known, is_new = {}, false
    for _, conflict in ipairs(self.conflicts) do
      known[conflict.id] = true
    end
    for _, conflict in ipairs(conflicts) do
      is_new = is_new or not known[conflict.id]
    end
    self.conflicts = conflicts
    if is_new then
      self.host.tell(('%d %s, with both texts; see :NotesConflicts'):format(
        #conflicts, #conflicts == 1 and 'conflict' or 'conflicts'), levels.WARN)
    end
  end

  --- Applies the changes in `note` to the text shown. Its `edits` apply to `from`, the text last
  --- agreed on.
  function Session:_take_note(from, note)
    local made, why
    if note.edits then
      made, why = edits.from_wire(note.edits, from)
      made = made and diff.refined(from, made)
    elseif note.text then
      made = diff.diff(from, note.text)
    end
    if not made then
      self.host.tell('the daemon sent edits that do not apply (' .. (why or 'none') .. '); reading the note again', levels.WARN)
      self.doubt, self.latest = true, '?'
      return
    end
    local taking = {}
    self.taking = taking
    self.host.when_free(function()
      if self.taking ~= taking then
        -- This took too long; `_go_on_without` requests the note again.
        return
      end
      local mine = self:_typed_since(from, self.host.text())
      self.host.apply(edits.transform(made, mine, lines_first))
      self.pending = edits.transform(mine, made, not_lines_first)
      self.taking = nil
      self:_take_over(edits.apply(from, made), note.version)
      if note.conflicts then
        self:_conflicts_are(note.conflicts)
      end
      if note.bytes and note.bytes ~= #self.shadow then
        self.doubt = true
      end
      if note.bytes and note.name ~= self.name then
        self.name = note.name
        self.host.renamed()
      end
      self:advance()
      self.host.changed()
    end)
    if self.taking == taking and self.is_busy then
      self:_go_on_without(taking)
    elseif self.taking == taking then
      self.host.later(Session.busy_ms, function()
        self:_go_on_without(taking)
      end)
    end
  end

  --- The buffer may not be changed, as while a menu is open: sends typed text based on the version
  --- shown, and requests the rest again when the buffer can show it.
  function Session:_go_on_without(taking)
    if self.taking ~= taking or self.closed then
      return
    end
    self.taking, self.latest = nil, '?'
    if not self.is_busy then
      self.is_busy = true
      self.host.when_free(function()
        self.is_busy = false
        self:advance()
      end)
    end
    self:advance()
    self.host.changed()
  end

  --- Makes `text` at `version` what the daemon and the buffer agree on.
  function Session:_take_over(text, version)
    local kept = self.kept
    if self.version ~= version then
      kept[#kept + 1] = { version = self.version, text = self.shadow }
      local bytes = 0
      for _, item in ipairs(kept) do
        bytes = bytes + #item.text
      end
      while #kept > 1 and (#kept > kept_max or bytes > kept_bytes_max) do
        bytes = bytes - #table.remove(kept, 1).text
      end
      self.taken = self.taken + 1
    end
    self.shadow, self.version = text, version
  end
end
