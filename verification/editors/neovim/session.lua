-- The requests of a session in situations that take long or are rare, without an editor and a
-- daemon: the host is a table that records the requests, and the test sets the clock. Run by
-- `verification/editors/neovim/run-laws`.

local edits = require('notesd.edits')
local Session = require('notesd.session')

local passed, failed = 0, 0

local function equal(found, wanted, what)
  if vim.deep_equal(found, wanted) then
    passed = passed + 1
    return
  end
  failed = failed + 1
  io.stdout:write(('FAILED session: %s: %s, not %s\n'):format(what, vim.inspect(found), vim.inspect(wanted)))
end

--- A session on a note with `text` at `r:1`, connected and idle; `asked` records its requests from
--- then on.
local function begin(text)
  local world = { text = text, asked = {}, later = {}, told = {}, locked = {}, now = 0, ops = 0 }
  local host = {
    text = function() return world.text end,
    apply = function(made) world.text = edits.apply(world.text, made) end,
    when_free = function(action)
      if world.is_locked then
        table.insert(world.locked, action)
      else
        action()
      end
    end,
    request = function(method, params, callback)
      table.insert(world.asked, { method = method, params = params, answer = callback })
      return true
    end,
    later = function(_, action) table.insert(world.later, action) end,
    now_ms = function() return world.now end,
    op = function()
      world.ops = world.ops + 1
      return 'op' .. world.ops
    end,
    tell = function(message) table.insert(world.told, message) end,
    changed = function() end,
    sending = function() end,
    renamed = function() end,
    parted = function(note) world.parted = note or true end,
  }
  local session = Session.new(host, { id = 'n', name = 'name', text = text, version = 'r:1' })
  session:connected_now()
  world.next = function()
    return table.remove(world.asked, 1)
  end
  world.next().answer(nil, { watch = 1, cursor = 'c1', reset = false })
  world.next().answer(nil, { note = { version = 'r:1', edits = {}, bytes = #text, name = 'name', conflicts = {} } })
  equal(#world.asked, 0, 'a session on a known note has nothing to request')
  world.type = function(new)
    session:found({ { start = 0, stop = 0, text = new } })
    world.text = new .. world.text
    session:typed()
  end
  return session, world
end

local function wire(start, stop, text)
  return { start = start, ['end'] = stop, text = text }
end

local function typed_while_writing_waits()
  local session, world = begin('one\n')
  world.type('a')
  world.type('b')
  equal(#world.asked, 1, 'one write is in flight')
  local first = world.next()
  equal({ first.method, first.params.base, first.params.edits }, { 'note.edit', 'r:1', { wire(0, 0, 'a') } }, 'the first character is sent')
  first.answer(nil, { outcome = 'merged', dot = 'r:3', version = 'r:3',
    note = { version = 'r:2 r:3', edits = { wire(5, 5, 'two\n') }, conflicts = {} } })
  equal(world.text, 'baone\ntwo\n', "text of others is inserted beside typed text")
  local second = world.next()
  equal({ second.params.base, second.params.edits }, { 'r:2 r:3', { wire(0, 0, 'b') } }, 'the rest is sent, based on the merged text')
  equal(session:is_settled(), false, 'it is not durable before the response')
  second.answer(nil, { outcome = 'saved', dot = 'r:4', version = 'r:4' })
  equal({ session:is_settled(), session.version, session.shadow }, { true, 'r:4', 'baone\ntwo\n' }, 'it is durable after the response')
end

local function held_long_goes_out_whole()
  local _, world = begin('one\n')
  world.type('a')
  world.type('b')
  world.now = Session.held_ms + 1
  world.next().answer(nil, { outcome = 'saved', dot = 'r:2', version = 'r:2' })
  local second = world.next()
  equal({ second.method, second.params.base, second.params.text }, { 'note.save', 'r:2', 'baone\n' }, 'text that was held long is sent as a whole')
end

local function unanswered_is_sent_again()
  local session, world = begin('one\n')
  world.type('a')
  local first = world.next()
  session:lost()
  first.answer({ kind = 'closed', message = '', data = {} })
  world.type('b')
  session:connected_now()
  equal(world.next().params.since, 'c1', 'the watch resumes from its cursor')
  local again = world.next()
  equal({ again.method, again.params }, { first.method, first.params }, 'the same write, with its op')
  again.answer(nil, { outcome = 'saved', dot = 'r:2', version = 'r:2', replayed = true })
  local held = world.next()
  equal({ held.method, held.params.base, held.params.text }, { 'note.save', 'r:2', 'baone\n' }, 'later text is sent as held text')
end

local function overloaded_is_sent_again()
  local _, world = begin('one\n')
  world.type('a')
  local first = world.next()
  first.answer({ kind = 'overloaded', message = 'too much', data = {} })
  equal(#world.asked, 0, 'the write is not repeated immediately')
  world.later[1]()
  equal(world.next().params, first.params, 'the write is repeated unchanged')
end

local function unknown_base_goes_back()
  local session, world = begin('one\n')
  world.type('a')
  world.next().answer(nil, { outcome = 'saved', dot = 'r:2', version = 'r:2' })
  world.type('b')
  world.next().answer({ kind = 'unknown_base', message = 'not known', data = {} })
  local question = world.next()
  equal({ question.method, question.params.at }, { 'note.get', 'r:1' }, 'the newest other delivered text is requested')
  question.answer(nil, { note = { version = 'r:1', text = 'one\n' } })
  local save = world.next()
  equal({ save.method, save.params.base, save.params.text }, { 'note.save', 'r:1', 'baone\n' }, 'all later text is sent on it')
  save.answer({ kind = 'unknown_base', message = 'not known', data = {} })
  world.next().answer(nil, { note = { version = 'x:9', text = 'quite another\n' } })
  equal({ world.parted.text, #world.asked, (session:status()) }, { 'quite another\n', 0, 'parted' }, 'if none is known, both texts are shown')
  world.type('c')
  equal(#world.asked, 0, 'nothing is sent automatically')
  session:insist(function() end)
  local insisted = world.next()
  equal({ insisted.params.base, insisted.params.text }, { 'x:9', 'cbaone\n' }, 'the text is sent if the user has seen both and insists')
end

local function drift_is_mended()
  local session, world = begin('one\n')
  session:heard('note.changed', { watch = 1, seq = 1, cursor = 'c2', change = 'edited',
    note = { version = 'r:2', base = 'r:1', edits = { wire(0, 0, 'X') }, bytes = 7, conflicts = {} } })
  local question = world.next()
  equal({ question.method, question.params.at }, { 'note.get', 'r:2' }, 'a different size causes a check')
  world.type('mine ')
  question.answer(nil, { note = { version = 'r:2', text = 'XYone\n' } })
  equal({ world.text, session.shadow }, { 'mine XYone\n', 'XYone\n' }, 'the text is corrected, and typed text stays')
end

local function what_was_missed_is_read()
  local session, world = begin('one\n')
  session:heard('note.changed', { watch = 1, seq = 3, cursor = 'c2', change = 'edited',
    note = { version = 'r:2', base = 'r:1', edits = { wire(0, 0, 'X') }, conflicts = {} } })
  local question = world.next()
  equal({ question.method, question.params.from }, { 'note.get', 'r:1' }, 'a gap in seq causes a read')
  session:heard('note.changed', { watch = 1, seq = 4, cursor = 'c3', change = 'edited',
    note = { version = 'r:3', base = 'r:2', edits = {}, conflicts = {} } })
  question.answer(nil, { note = { version = 'r:2', edits = { wire(0, 0, 'X') }, bytes = 5, conflicts = {} } })
  equal(world.next().params.from, 'r:2', 'changes during a read are read after it')
end

local function deletion_is_taken_back_by_typing()
  local session, world = begin('one\n')
  session:heard('note.changed', { watch = 1, seq = 1, cursor = 'c2', change = 'deleted',
    note = { version = 'r:2', deleted = true, text = '', bytes = 0, conflicts = {} } })
  equal({ world.text, session.version, (session:status()) }, { 'one\n', 'r:1', 'deleted' }, 'the text and its version stay')
  local said
  session:save(function(err) said = err end)
  equal({ said ~= nil, #world.asked }, { true, 0 }, 'saving reports the deletion, and writes nothing')
  world.type('a')
  equal(world.next().params.base, 'r:1', 'typing writes on the version shown')
end

local function orders_are_writes()
  local session, world = begin('one\n')
  local outcomes = {}
  local function done(err, result) table.insert(outcomes, err and err.message or result.outcome) end
  world.type('a')
  session:order('note.save', { name = 'new' }, done)
  session:order('note.delete', {}, done)
  equal({ #world.asked, session:is_settled() }, { 1, false }, 'a rename is not sent during a write')
  world.next().answer(nil, { outcome = 'saved', dot = 'r:2', version = 'r:2' })
  local rename = world.next()
  equal({ rename.method, rename.params.base, rename.params.name }, { 'note.save', 'r:2', 'new' }, 'the rename is sent after it, on the merged text')
  world.type('b')
  session:lost()
  rename.answer({ kind = 'closed', message = '', data = {} })
  equal(outcomes, { 'not connected; your text is kept and sent when the daemon is back' }, 'an unsent rename is abandoned without a connection')
  session:connected_now()
  world.next()
  local again = world.next()
  equal(again.params, rename.params, 'a sent rename is sent again')
  again.answer(nil, { outcome = 'saved', dot = 'r:3', version = 'r:3' })
  equal(outcomes[2], 'saved', 'its outcome is reported')
  local held = world.next()
  equal({ held.params.base, held.params.text, held.params.name }, { 'r:3', 'baone\n', nil }, 'text typed meanwhile is sent next')
end

local function deletion_beside_a_write_is_none()
  local session, world = begin('one\n')
  local found
  session:order('note.delete', {}, function(_, result) found = result end)
  world.next().answer(nil, { outcome = 'conflicted', dot = 'r:3', version = 'r:3',
    note = { version = 'r:2 r:3', text = 'two\none\n', conflicts = {} } })
  equal({ found.outcome, (session:status()), session.version }, { 'conflicted', 'synced', 'r:1' }, 'the note is restored')
  equal(world.next().params.from, 'r:1', 'the text of others is requested')
end

local function locked_buffer_holds_nothing_back()
  local session, world = begin('one\n')
  world.is_locked = true
  world.type('a')
  world.next().answer(nil, { outcome = 'merged', dot = 'r:3', version = 'r:3',
    note = { version = 'r:2 r:3', edits = { wire(5, 5, 'two\n') }, conflicts = {} } })
  equal({ session.version, session.shadow, world.text }, { 'r:3', 'aone\n', 'aone\n' }, 'the sent text has its version, and the buffer is unchanged')
  world.type('b')
  equal(#world.asked, 0, 'typed text waits')
  world.later[1]()
  local second = world.next()
  equal({ second.params.base, second.params.edits }, { 'r:3', { wire(0, 0, 'b') } }, 'typed text is sent soon, based on the text shown')
  second.answer(nil, { outcome = 'merged', dot = 'r:4', version = 'r:4',
    note = { version = 'r:2 r:4', edits = { wire(6, 6, 'two\n') }, conflicts = {} } })
  equal({ world.text, #world.asked, session.version }, { 'baone\n', 0, 'r:4' }, 'text of others still waits')
  world.is_locked = false
  for _, action in ipairs(world.locked) do
    action()
  end
  local question = world.next()
  equal(question.params.from, 'r:4', 'text of others is requested when the buffer is free')
  question.answer(nil, { note = { version = 'r:2 r:4', edits = { wire(6, 6, 'two\n') }, bytes = 10, name = 'name', conflicts = {} } })
  equal({ world.text, session.version }, { 'baone\ntwo\n', 'r:2 r:4' }, 'once')
end

for _, case in ipairs({ typed_while_writing_waits, held_long_goes_out_whole, unanswered_is_sent_again, overloaded_is_sent_again,
  unknown_base_goes_back, drift_is_mended, what_was_missed_is_read, deletion_is_taken_back_by_typing, orders_are_writes,
  deletion_beside_a_write_is_none, locked_buffer_holds_nothing_back }) do
  case()
end
io.stdout:write(('session: %d checks passed, %d failed\n'):format(passed, failed))
os.exit(failed == 0 and 0 or 1)
