--- The commands, as plugin/notesd.lua names them.

local client = require('notesd.client')
local identity = require('notesd.identity')
local Note = require('notesd.note')
local levels = vim.log.levels

local M = {}

--- How long ending the editor waits for what is not acknowledged.
local leave_ms = 2000

--- The note of the current buffer; tells the user where there is none.
local function current()
  local note = Note.of(0)
  if not note or not note.session then
    client.tell('this buffer shows no note', levels.WARN)
    return nil
  end
  return note
end

function M.edit(name)
  vim.cmd('edit ' .. vim.fn.fnameescape('notes://' .. name))
end

--- `:Notes [name]`
function M.notes(given)
  if given.args ~= '' then
    M.edit(given.args)
  else
    require('notesd.list').choose(M.edit)
  end
end

function M.complete(lead)
  return require('notesd.list').names(lead)
end

function M.conflicts()
  local note = current()
  if note then
    require('notesd.conflicts').open(note)
  end
end

function M.history()
  local note = current()
  if note then
    require('notesd.history').open(note)
  end
end

function M.search(given)
  require('notesd.search').run(given.args, given.bang)
end

function M.status()
  local note = Note.of(0)
  if note then
    local word, why = note:status()
    client.tell(('%s: %s%s; version %s'):format(note:name(), word, why and ' (' .. why .. ')' or '',
      note.session and note.session.version or 'none'))
  else
    client.tell(client.link():is_ready() and 'connected to ' .. client.socket() or client.link().trouble or 'not connected')
  end
end

--- `:NotesDelete[!]`
function M.delete(given)
  local note = current()
  if not note then
    return
  elseif not given.bang and vim.fn.confirm(('Delete %s?'):format(note:name()), '&Yes\n&No', 2) ~= 1 then
    return
  end
  client.request('note.delete', { id = note.session.id, base = note.session.version, op = identity.op() }, function(err)
    note:tell(err and ('not deleted: ' .. err.message) or 'deleted; its history is kept', err and levels.ERROR or nil)
    if not err and vim.api.nvim_buf_is_valid(note.handle) then
      vim.cmd(('bwipeout! %d'):format(note.handle))
    end
  end)
end

--- `:NotesRename name`
function M.rename(given)
  local note = current()
  if not note then
    return
  end
  local params = { id = note.session.id, base = note.session.version, name = given.args, op = identity.op() }
  client.request('note.save', params, function(err)
    if err then
      note:tell('not renamed: ' .. err.message, levels.ERROR)
    else
      note.session.name = given.args
      note.session.latest = '?'
      note.session:advance()
      pcall(vim.api.nvim_buf_set_name, note.handle, 'notes://' .. given.args)
      note:tell('renamed')
    end
  end)
end

function M.undo()
  require('notesd').undo()
end

function M.redo()
  require('notesd').redo()
end

--- The editor ends: waits a moment for what is not acknowledged, and keeps the rest as drafts.
function M.leave()
  local function is_settled()
    for _, note in pairs(client.open) do
      local session = note.session
      if session and session.connected and not session.parted and not session.trouble and not session:is_settled() then
        return false
      end
    end
    return true
  end
  for _, note in pairs(client.open) do
    if note.session then
      note:typed()
    end
  end
  vim.wait(leave_ms, is_settled, 5)
  for _, note in pairs(client.open) do
    require('notesd.drafts').keep(note)
  end
end

return M
