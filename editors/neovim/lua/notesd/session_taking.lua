--- How a session takes in what the daemon answers: what others did goes into the text shown, and then their version is taken over.

local diff = require('notesd.diff')
local edits = require('notesd.edits')
local levels = vim.log.levels

--- How many texts that were shown are kept, for a daemon that does not know the newest.
local kept_max, kept_bytes_max = 30, 8 * 1024 * 1024

--- Whether what others insert comes before what is typed at the same place: whole lines do, so that they do not cut the line.
local function lines_first(theirs)
  return theirs:sub(-1) == '\n'
end

--- The other way round, for what is typed here.
local function not_lines_first(_, theirs)
  return not lines_first(theirs)
end

return function(Session)
  --- The note as the daemon shows it after a write: what was sent is at the answer's version; then what others wrote is taken in.
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

  --- Puts what `note` shows into the text shown; its `edits` are for `from`, the text last agreed on.
  function Session:_take_note(from, note)
    local made, why
    if note.edits then
      made, why = edits.from_wire(note.edits, from)
      made = made and diff.refined(from, made)
    elseif note.text then
      made = diff.diff(from, note.text)
    end
    if not made then
      self.host.tell('the daemon sent edits that cannot be made (' .. (why or 'none') .. '); the note is read again', levels.WARN)
      self.doubt, self.latest = true, '?'
      return
    end
    local taking = {}
    self.taking = taking
    self.host.when_free(function()
      if self.taking ~= taking then
        -- It took too long, and is asked for again.
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

  --- The text may not be changed, as while a menu is open: what is typed here goes out on what is shown, and the rest is asked for again
  --- when it can be shown.
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
