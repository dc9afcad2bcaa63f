--- What was typed and could not be sent, on disk: it outlives the editor while the daemon is away.
---
--- A draft is a file `<note's id>.<process id>.json` with `base`, the version that it was written on, and `text`. It is written while
--- there is no connection and when the editor ends, and removed when all is acknowledged. The next editor that opens the note takes
--- it and sends it as a save on its base. One of a process that still runs is left alone.

local M = {}

--- How long after the last key a draft is written.
local write_ms = 500

local function folder()
  return vim.fn.stdpath('data') .. '/notesd/drafts'
end

local function path_of(note)
  return ('%s/%s.%d.json'):format(folder(), note.session.id, vim.loop.getpid())
end

local function write(note)
  local session = note.session
  local flight = session.flight
  local path = path_of(note)
  vim.fn.mkdir(folder(), 'p', 448)
  local content = vim.json.encode({ id = session.id, name = session.name, base = session.version, text = note:text(),
    op = flight and flight.params.op or nil })
  local file = assert(vim.loop.fs_open(path .. '.new', 'w', 384))
  vim.loop.fs_write(file, content, 0)
  vim.loop.fs_fsync(file)
  vim.loop.fs_close(file)
  assert(vim.loop.fs_rename(path .. '.new', path))
  note.has_draft = true
end

local function is_needed(note)
  local session = note.session
  return session ~= nil and not session:is_settled() and note.buffer ~= nil and note.buffer.text ~= session.shadow
end

local function try_write(note)
  local ok, why = pcall(write, note)
  if not ok and not note.draft_failed then
    note.draft_failed = true
    note:tell('the draft cannot be written: ' .. tostring(why), vim.log.levels.ERROR)
  end
end

--- Sees to the draft of a note whose status may be another.
function M.follow(note)
  local session = note.session
  if not session then
    return
  elseif note.has_draft and session:is_settled() then
    note.has_draft = false
    vim.loop.fs_unlink(path_of(note))
  elseif not note.draft_waits and is_needed(note) and session:status() ~= 'sending' then
    note.draft_waits = true
    vim.defer_fn(function()
      note.draft_waits = false
      if not note.closed and is_needed(note) and session:status() ~= 'sending' then
        try_write(note)
      end
    end, write_ms)
  end
end

--- The buffer or the editor goes away: what is not acknowledged is kept.
function M.keep(note)
  if is_needed(note) then
    try_write(note)
  end
end

local function is_running(process)
  return process == vim.loop.getpid() or vim.loop.kill(process, 0) == 0
end

--- The draft that some editor left of a note, which is gone from the disk then; nil where there is none.
function M.take(id)
  for _, path in ipairs(vim.fn.glob(folder() .. '/' .. id .. '.*.json', true, true)) do
    local process = tonumber(path:match('%.(%d+)%.json$'))
    if process and not (process ~= vim.loop.getpid() and is_running(process)) then
      local ok, draft = pcall(function()
        return vim.json.decode(table.concat(vim.fn.readfile(path, 'b'), '\n'))
      end)
      vim.loop.fs_rename(path, path .. '.taken')
      if ok and type(draft) == 'table' and draft.base and draft.text then
        return draft
      end
    end
  end
  return nil
end

return M
