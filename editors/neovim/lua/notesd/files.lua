--- `:write`, `:saveas`, `:read` and `:file` with a name other than the note's own: makes a copy, or
--- says why not.

local api = vim.api
local attach = require('notesd.attach')
local client = require('notesd.client')
local identity = require('notesd.identity')
local layout = require('notesd.layout')
local utf8 = require('notesd.utf8')
local levels = vim.log.levels

local M = {}

--- The value of `setlocal undolevels<`.
local no_local_undolevels = -123456

local function name_of(file)
  return (file:gsub('^notes://', ''))
end

--- Creates a note from lines of a buffer. Returns the note with its text, or nil after an error
--- message.
local function make(handle, name, lines)
  local options = vim.bo[handle]
  local text = layout.encode(lines, { dos = options.fileformat == 'dos', eol = options.endofline })
  if utf8.first_bad(text) then
    client.tell(name .. ': not written: the text has bytes that are not UTF-8', levels.ERROR)
    return nil
  end
  local err, result = client.ask('note.create', { text = text, name = name, id = identity.note_id(), op = identity.op() })
  if err and err.kind == 'note_exists' then
    client.tell(('%s: not written: a note with that name exists; :Notes %s opens it'):format(name, name), levels.ERROR)
  elseif err then
    client.tell(('%s: not written: %s'):format(name, err.message), levels.ERROR)
  else
    client.tell(name .. ': saved durably')
    return vim.tbl_extend('force', result.note, { text = text })
  end
  return nil
end

--- BufWriteCmd: writes the whole buffer. A buffer that has the name but shows no note follows the
--- new note from then on.
function M.write(event)
  local handle = event.buf
  local is_own = api.nvim_buf_get_name(handle) == event.match
  local note = require('notesd.note').of(handle)
  if note and is_own then
    note:write(vim.v.cmdbang == 1)
    return
  end
  local made = make(handle, name_of(event.match), api.nvim_buf_get_lines(handle, 0, -1, false))
  if made and is_own then
    require('notesd.note').made(handle, made)
  end
end

--- FileWriteCmd: writes some lines.
function M.write_lines(event)
  if require('notesd.note').of(event.buf) and api.nvim_buf_get_name(event.buf) == event.match then
    client.tell('a note can only be written whole: use :write without a range', levels.ERROR)
    return
  end
  local first, last = api.nvim_buf_get_mark(event.buf, '[')[1], api.nvim_buf_get_mark(event.buf, ']')[1]
  make(event.buf, name_of(event.match), api.nvim_buf_get_lines(event.buf, first - 1, last, false))
end

--- FileAppendCmd and FileReadCmd: refuses.
function M.refuse(event)
  local what = event.event == 'FileReadCmd' and 'read into a buffer' or 'appended to by :write'
  client.tell(('%s: a note cannot be %s; :Notes %s opens it'):format(name_of(event.match), what, name_of(event.match)), levels.ERROR)
end

--- BufFilePost: stops following the note when the user has renamed its buffer.
function M.renamed(note)
  local handle, file = note.handle, api.nvim_buf_get_name(note.handle)
  if file == 'notes://' .. note.wanted then
    return
  end
  local name = note:name()
  note:close()
  attach.unmap(handle)
  local options = vim.bo[handle]
  options.modifiable, options.undolevels = true, no_local_undolevels
  if file:match('^notes://') then
    client.tell(('%s: this buffer no longer follows the note; :write creates the note %s from it'):format(name, name_of(file)), levels.WARN)
  else
    options.buftype, options.swapfile = '', vim.go.swapfile
    client.tell(('%s: this buffer no longer follows the note; it is now the file %s'):format(name, file), levels.WARN)
  end
  options.modified = true
end

return M
