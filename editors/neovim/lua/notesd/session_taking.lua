--- How a session takes in what the daemon answers: what others did goes into the text shown, and then their version is taken over.

local diff = require('notesd.diff')
local edits = require('notesd.edits')
local levels = vim.log.levels

--- How many texts that were shown are kept, for a daemon that does not know the newest.
local kept_max, kept_bytes_max = 8, 8 * 1024 * 1024

--- Whether what others insert comes before what is typed at the same place: whole lines do, so that they do not cut the line.
local function lines_first(theirs)
  return theirs:sub(-1) == '\n'
end

--- The other way round, for what is typed here.
local function not_lines_first(_, theirs)
  return not lines_first(theirs)
end

return function(Session)
  --- The note as the daemon shows it after a write: what others wrote is taken in, and only then is it the version to write on.
  function Session:_written(flight, result)
    self.flight, self.latest = nil, nil
    self.gone = nil
    self.dirty_ms = self.dirty_ms or (self.host.text() ~= flight.text and self.host.now_ms() or nil)
    local note = result.note
    if not note then
      self:_take_over(flight.text, result.version)
      return
    end
    self:_take_note(flight.text, note, result.version)
  end

  --- What is open now; the user is told when something is that was not.
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
      self.host.tell(('%d %s: others changed the same place, and both texts are kept. :NotesConflicts settles it'):format(
        #conflicts, #conflicts == 1 and 'conflict' or 'conflicts'), levels.WARN)
    end
  end

  --- Puts what `note` shows into the text shown; its `edits` are for `from`, the text last agreed on, or what was sent and is `own` now.
  function Session:_take_note(from, note, own)
    local made, why
    if note.edits then
      made, why = edits.from_wire(note.edits, from)
      made = made and diff.refined(from, made)
    elseif note.text then
      made = diff.diff(from, note.text)
    end
    if not made then
      self.host.tell('the daemon sent edits that cannot be made (' .. (why or 'none') .. '); the note is read again', levels.WARN)
      self:_take_over(from, own or self.version)
      self.doubt, self.latest = true, '?'
      return
    end
    self.taking = true
    self.host.when_free(function()
      local mine = self:_typed_since(from, self.host.text())
      self.host.apply(edits.transform(made, mine, lines_first))
      self.pending = edits.transform(mine, made, not_lines_first)
      self.taking = false
      self:_take_over(edits.apply(from, made), note.version)
      if note.conflicts then
        self:_conflicts_are(note.conflicts)
      end
      if note.bytes and note.bytes ~= #self.shadow then
        self.doubt = true
      end
      if note.name ~= nil and note.name ~= self.name then
        self.name = note.name
      end
      self:advance()
      self.host.changed()
    end)
  end

  --- From now on `text` is what the daemon and the buffer agree on, at `version`.
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
