--- What was typed and is not acknowledged, on disk: it outlives the editor.
---
--- A draft is a file with what is needed to go on where the editor ended:
---   id, name   the note's
---   base       the version that was shown; none for a note that is not made yet
---   text       what was shown, with what was typed
---   flight     the write that was sent and not answered: its method, its params with `op`, and the text that it sends
---
--- It is written when something has not been acknowledged for a while, and when the buffer or the editor goes away. While it is there it
--- is written again before each write goes out: a draft that does not know a write would bring its text a second time. It is removed when
--- all is acknowledged. The next editor that opens the note sends the flight again, as it was, and then the rest as a save.
---
--- Its name is `<note's id>.<process>-<boot and start of the process>-<number>.json`, `new.` in front for a note that is not made yet.
--- Whoever takes one gives it a name of his own: only one can. One of a process that still runs is left alone.

local uv = require('notesd.uv')
local levels = vim.log.levels

local M = {}

--- How long something is not acknowledged before it is written, and how long where the daemon is there to answer.
local write_ms, answer_ms = 500, 1000

local numbers = 0
--- The files of notes that are open here.
local used = {}

local function folder()
  return vim.fn.stdpath('data') .. '/notesd/drafts'
end

local function content_of(path)
  local file = io.open(path, 'rb')
  local content = file and file:read('*a')
  if file then
    file:close()
  end
  return content or ''
end

--- Tells a process from all that had its number before: when the machine and the process were started. '0' where that cannot be known.
local function mark_of(process)
  local boot = content_of('/proc/sys/kernel/random/boot_id'):match('^%x+')
  local fields = vim.split(content_of(('/proc/%d/stat'):format(process)):match('.*%) (.*)') or '', ' ')
  return boot and fields[20] and boot .. '.' .. fields[20] or '0'
end

local function is_running(process, mark)
  return uv.kill(process, 0) == 0 and (not mark or mark == '0' or mark_of(process) == mark)
end

local function own_path(id)
  numbers = numbers + 1
  local process = uv.os_getpid()
  return ('%s/%s.%d-%s-%d.json'):format(folder(), id, process, mark_of(process), numbers)
end

--- Writes a file whole, or leaves what was there.
local function put(path, content)
  local file = assert(uv.fs_open(path .. '.new', 'w', 384))
  local ok, why = pcall(function()
    local count = assert(uv.fs_write(file, content, 0))
    assert(count == #content, ('only %d of %d bytes could be written'):format(count, #content))
    assert(uv.fs_fsync(file))
  end)
  uv.fs_close(file)
  if ok then
    ok, why = uv.fs_rename(path .. '.new', path)
  end
  if not ok then
    uv.fs_unlink(path .. '.new')
    error(why, 0)
  end
end

--- What a draft of the note says.
local function content(note)
  local session, text = note.session, note:text()
  local flight = note.creation
  if not session then
    return { id = note.new_id, name = note.wanted, text = text, flight = flight }
  end
  flight = session.flight
  if flight then
    -- What was ordered, as a deletion, is no text: whoever ordered it looks whether it was done.
    flight = not flight.done and { method = flight.method, params = flight.params, text = flight.text } or nil
  end
  return { id = session.id, name = session.name, base = session.version, text = text, flight = flight }
end

local function write(note)
  local said = content(note)
  vim.fn.mkdir(folder(), 'p', 448)
  local path = note.draft_path
  if not path or (note.session and note.is_draft_new) then
    note.is_draft_new = not note.session
    note.draft_path = own_path(note.session and said.id or 'new.' .. said.id)
    used[note.draft_path] = true
    if path and note.has_draft then
      assert(uv.fs_rename(path, note.draft_path))
    end
  end
  put(note.draft_path, vim.json.encode(said))
  note.has_draft, note.draft_failed = true, false
end

local function is_needed(note)
  local session = note.session
  if not note.buffer then
    return false
  elseif not session then
    return note.is_new and (note.creation ~= nil or note.buffer.text ~= '')
  end
  local flight = session.flight
  return not session:is_settled() and (note.buffer.text ~= session.shadow or (flight ~= nil and flight.text ~= session.shadow))
end

local function try_write(note)
  local ok, why = pcall(write, note)
  if not ok and not note.draft_failed then
    note.draft_failed = true
    note:tell('the draft cannot be written: ' .. tostring(why), levels.ERROR)
  end
end

local function remove(note)
  note.has_draft = false
  uv.fs_unlink(note.draft_path)
end

--- Sees to the draft of a note whose status may be another, or where something was typed.
function M.follow(note)
  local session = note.session
  if note.has_draft and session and session:is_settled() then
    remove(note)
  end
  if not is_needed(note) then
    note.unsent_ms = nil
    return
  end
  note.unsent_ms = note.unsent_ms or uv.now()
  if note.draft_waits then
    return
  end
  local is_sending = session and session:status() == 'sending'
  note.draft_waits = true
  vim.defer_fn(function()
    note.draft_waits = false
    if note.closed or not is_needed(note) then
      return
    elseif is_sending and uv.now() - (note.unsent_ms or uv.now()) < answer_ms then
      -- That was acknowledged, and something else is under way.
      M.follow(note)
    else
      try_write(note)
    end
  end, is_sending and answer_ms or write_ms)
end

--- A write is about to go out: a draft that is on disk has to know it.
function M.sending(note)
  if note.has_draft then
    try_write(note)
  end
end

--- The buffer or the editor goes away: what is not acknowledged is kept.
function M.keep(note)
  if is_needed(note) then
    if not note.session then
      note:name_new()
    end
    try_write(note)
  end
end

--- The note is closed: another may take its draft.
function M.release(note)
  if note.draft_path then
    used[note.draft_path] = nil
  end
end

--- The write of a note that is closed was acknowledged, with all that the note showed.
function M.acknowledged(note)
  if note.has_draft and not used[note.draft_path] then
    remove(note)
  end
end

--- What the draft had is in another note.
function M.forget(note)
  if note.has_draft then
    remove(note)
  end
end

--- What a file says; nil where it is no draft, of which the user is told.
local function read(note, path)
  local ok, draft = pcall(vim.json.decode, content_of(path), { luanil = { object = true } })
  if ok and type(draft) == 'table' and draft.text and draft.id then
    return draft
  elseif uv.fs_stat(path) then
    note:tell(path .. ' is no draft; it is left as it is', levels.WARN)
  end
  return nil
end

--- The draft that some editor left, which is the note's own from then on; nil where there is none. The file stays.
local function take(note, pattern, is_wanted)
  for _, path in ipairs(vim.fn.glob(folder() .. '/' .. pattern, true, true)) do
    local process, mark = path:match('%.(%d+)%-([%w.]+)%-%d+%.json$')
    process = tonumber(process or path:match('%.(%d+)%.json$'))
    local is_own = process == uv.os_getpid() and (not mark or mark == mark_of(process))
    local draft = process and not used[path] and read(note, path)
    if not draft or not is_wanted(draft) then
      process = nil
    elseif not is_own and is_running(process, mark) then
      note:tell(('process %d has text of this note that is not sent; it comes when it is'):format(process), levels.WARN)
      process = nil
    end
    local own = process and own_path(draft.base and draft.id or 'new.' .. draft.id)
    if own and uv.fs_rename(path, own) then
      note.draft_path, note.has_draft, note.is_draft_new = own, true, draft.base == nil
      used[own] = true
      return draft
    end
  end
  return nil
end

--- The draft of a note that there is.
function M.take(note, id)
  return take(note, id .. '.*.json', function()
    return true
  end)
end

--- The draft of a note that was not made when it was written, by its name.
function M.take_new(note, name)
  return take(note, 'new.*.json', function(draft)
    return draft.name == name
  end)
end

--- The note cannot go on from its draft, which stays on disk under another name. The name.
function M.set_aside(note)
  local path = note.draft_path .. '.gone'
  uv.fs_rename(note.draft_path, path)
  note.draft_path, note.has_draft = nil, false
  return path
end

return M
