--- `:write`, `:saveas`, `:read` and `:file` with a name other than the note's own: makes a copy, or
--- says why not.

local api = vim.api
local attach = require('notesd.attach')
local client = require('notesd.client')
local layout = require('notesd.layout')
local utf8 = require('notesd.utf8')
local uuid = require('notesd.uuid')
local levels = vim.log.levels

local M = {}

--- The value of `setlocal undolevels<`.
local no_local_undolevels = -123456

local function name_of(file)
  return (file:gsub('^notes://', ''))
end

--- Creates a note from lines of a buffer. Whether it did; otherwise the user gets a message.
local function make(handle, name, lines)
  local options = vim.bo[handle]
  local text = table.concat(layout.text(lines, options.endofline), options.fileformat == 'dos' and '\r\n' or '\n')
  if utf8.first_bad(text) then
    client.tell(name .. ': not written: the text has bytes that are not UTF-8', levels.ERROR)
    return false
  end
  local number = client.next_number()
  local err, result = client.ask('buffer.open', { buffer = number, create = { id = uuid.new(), name = name, text = text } })
  client.request('buffer.close', { buffer = number }, function() end)
  if result and result.existed then
    err = { message = ('a note with that name exists; :Notes %s opens it'):format(name) }
  end
  if err then
    client.tell(('%s: not written: %s'):format(name, err.message), levels.ERROR)
  else
    client.tell(name .. ': saved durably')
  end
  return err == nil
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
  if make(handle, name_of(event.match), api.nvim_buf_get_lines(handle, 0, -1, false)) and is_own then
    require('notesd.note').open(handle)
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
  local name = note:shown_name()
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
