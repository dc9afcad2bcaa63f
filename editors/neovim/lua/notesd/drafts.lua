--- Drafts: unacknowledged text on disk, which survives the editor.
---
--- A draft is a file with everything that another editor needs to continue:
---   id, name   of the note
---   base       the version that was shown; absent for a note that does not exist yet
---   text       the text shown, including what was typed
---   flight     the unanswered write: its method, its params with `op`, and the text that it sends
---
--- The plugin writes a draft when text stays unacknowledged, and when the buffer or the editor goes
--- away. It writes an existing draft again before each write goes out; the text of a write that the
--- draft does not record would arrive twice. It removes the draft when everything is acknowledged.
--- The next editor that opens the note resends the flight unchanged, and then saves the rest.
---
--- The file is named `<note's id>.<process>-<boot and start of the process>-<number>.json`, with
--- the prefix `new.` for a note that does not exist yet. An editor takes a draft by giving it a
--- name of its own; only one editor can succeed. Editors leave the draft of a running process
--- alone.

local uv = require('notesd.uv')
local levels = vim.log.levels

local M = {}

--- How long text may stay unacknowledged before a draft is written, without and with a write under
--- way.
local write_ms, answer_ms = 500, 1000

local numbers = 0
--- The files of notes that are open in this editor.
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

--- Distinguishes a process from earlier ones with the same number: the boot, and the start of the
--- process. '0' if the system does not say.
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

--- Writes a file atomically.
local function put(path, content)
  local file = assert(uv.fs_open(path .. '.new', 'w', 384))
  local ok, why = pcall(function()
    local count = assert(uv.fs_write(file, content, 0))
    assert(count == #content, ('only %d of %d bytes were written'):format(count, #content))
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

--- The contents of a draft of the note.
local function content(note)
  local session, text = note.session, note:text()
  local flight = note.creation
  if not session then
    return { id = note.new_id, name = note.wanted, text = text, flight = flight }
  end
  flight = session.flight
  if flight then
    -- A draft does not record an ordered write such as a deletion: its caller checks the outcome.
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

--- Writes or removes the draft of a note, as its status requires. Call it after each change of
--- status or text.
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
      -- The earlier text was acknowledged; newer text is under way.
      M.follow(note)
    else
      try_write(note)
    end
  end, is_sending and answer_ms or write_ms)
end

--- Records a write in the draft, if there is one, before the write goes out.
function M.sending(note)
  if note.has_draft then
    try_write(note)
  end
end

--- Keeps unacknowledged text when the buffer or the editor goes away.
function M.keep(note)
  if is_needed(note) then
    if not note.session then
      note:name_new()
    end
    try_write(note)
  end
end

--- The user tries to close the window. Neovim refuses that with an error if text is not acknowledged;
--- a message then adds that the text is safe.
function M.quitting(note)
  M.keep(note)
  if not note.has_draft then
    return
  end
  vim.schedule(function()
    if not note.closed and note.has_draft and vim.bo[note.handle].modified and vim.fn.bufwinid(note.handle) ~= -1 then
      note:tell('a draft of the unsent text is kept; :q! loses nothing', levels.WARN)
    end
  end)
end

--- Lets another note take the draft, when this note is closed.
function M.release(note)
  if note.draft_path then
    used[note.draft_path] = nil
  end
end

--- Removes the draft of a closed note, whose write of the whole text was acknowledged.
function M.acknowledged(note)
  if note.has_draft and not used[note.draft_path] then
    remove(note)
  end
end

--- Removes the draft of a note whose text is now in another note.
function M.forget(note)
  if note.has_draft then
    remove(note)
  end
end

--- The draft in a file. If the file is not a draft, tells the user and returns nil.
local function read(note, path)
  local ok, draft = pcall(vim.json.decode, content_of(path), { luanil = { object = true } })
  if ok and type(draft) == 'table' and draft.text and draft.id then
    return draft
  elseif uv.fs_stat(path) then
    note:tell(path .. ' is not a draft; leaving it as it is', levels.WARN)
  end
  return nil
end

--- Whether the file belongs to another process that still runs, and the number of that process.
local function writer(path)
  local process, mark = path:match('%.(%d+)%-([%w.]+)%-%d+%.json$')
  process = tonumber(process or path:match('%.(%d+)%.json$'))
  if not process or process == uv.os_getpid() then
    return false, process
  end
  return is_running(process, mark), process
end

--- Renames the file so that it belongs to this note; false if another editor was faster.
local function adopt(note, draft, path)
  local own = own_path(draft.base and draft.id or 'new.' .. draft.id)
  if not uv.fs_rename(path, own) then
    return false
  end
  note.draft_path, note.has_draft, note.is_draft_new = own, true, draft.base == nil
  used[own] = true
  return true
end

--- Takes a draft that some editor left, or returns nil. The file stays and belongs to this note.
local function take(note, pattern, is_wanted)
  local taken, left = nil, 0
  for _, path in ipairs(vim.fn.glob(folder() .. '/' .. pattern, true, true)) do
    local draft = not used[path] and read(note, path)
    if draft and is_wanted(draft) then
      local runs, process = writer(path)
      if runs then
        note:tell(('process %d has text of this note that it has not sent yet'):format(process), levels.WARN)
      elseif taken then
        left = left + 1
      elseif adopt(note, draft, path) then
        taken = draft
      end
    end
  end
  if left > 0 then
    note:tell(('%d more %s sent after this one'):format(left, left == 1 and 'draft is' or 'drafts are'), levels.WARN)
    note:next_draft_later()
  end
  return taken
end

--- Takes the draft of an existing note.
function M.take(note, id)
  return take(note, id .. '.*.json', function()
    return true
  end)
end

--- Takes, by its name, the draft of a note that did not exist when the draft was written.
function M.take_new(note, name)
  return take(note, 'new.*.json', function(draft)
    return draft.name == name
  end)
end

--- Renames a draft that the note cannot continue from, so that it stays on disk. Returns the new
--- name.
function M.set_aside(note)
  local path = note.draft_path .. '.gone'
  uv.fs_rename(note.draft_path, path)
  note.draft_path, note.has_draft = nil, false
  return path
end

return M
