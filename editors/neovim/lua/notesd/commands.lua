--- The commands that plugin/notesd.lua defines.

local client = require('notesd.client')
local config = require('notesd.config')
local Note = require('notesd.note')
local levels = vim.log.levels

local M = {}

--- The note of the current buffer. If there is none, tells the user and returns nil.
local function current()
  local note = Note.of(0)
  if not note or not note.session then
    client.tell('this buffer shows no note', levels.WARN)
    return nil
  end
  return note
end

--- Shows the note with a name or an id.
function M.edit(name)
  for _, note in pairs(client.open) do
    if note.session and (note.session.id == name or note.session.name == name) then
      vim.cmd('buffer ' .. note.handle)
      return
    end
  end
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

function M.follow()
  local note = current()
  if note then
    require('notesd.links').follow(note, M.edit)
  end
end

function M.backlinks(given)
  local note = current()
  if note then
    require('notesd.links').backlinks(note, given.bang)
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
  local session = note.session
  session:order('note.delete', {}, function(err, result)
    if err then
      note:tell('not deleted: ' .. err.message, levels.ERROR)
    elseif result.note then
      note:tell('not deleted: others wrote to it in the meantime. :NotesConflicts resolves it', levels.WARN)
    elseif session.shadow ~= note:text() then
      note:tell('deleted, but text typed in the meantime brings it back', levels.WARN)
    else
      note:tell('deleted; its history is kept')
      vim.schedule(function()
        if vim.api.nvim_buf_is_valid(note.handle) and session:is_settled() and not note.closed then
          vim.cmd(('bwipeout! %d'):format(note.handle))
        end
      end)
    end
  end)
end

--- `:NotesRename name`
function M.rename(given)
  local note = current()
  if not note then
    return
  end
  note.session:order('note.save', { name = given.args }, function(err, result)
    if err then
      note:tell('not renamed: ' .. err.message, levels.ERROR)
    elseif result.outcome == 'conflicted' then
      note:tell('renamed, but others renamed it too. :NotesConflicts resolves it', levels.WARN)
    else
      note:tell('renamed to ' .. given.args)
    end
  end)
end

function M.undo()
  require('notesd').undo()
end

function M.redo()
  require('notesd').redo()
end

--- Called when the editor exits: waits at most `answer_wait_ms` for acknowledgements, and keeps the
--- rest as drafts.
function M.leave()
  local function is_settled()
    for _, note in pairs(client.open) do
      local session = note.session
      if session and session.connected and not session.parted and not session.trouble and not session:is_settled() then
        return false
      elseif note.is_new and note.is_creating and client.link():is_ready() then
        return false
      end
    end
    return true
  end
  for _, note in pairs(client.open) do
    if note.buffer then
      note:typed()
    end
  end
  vim.wait(config.get().answer_wait_ms, is_settled, 5)
  for _, note in pairs(client.open) do
    require('notesd.drafts').keep(note)
  end
end

return M
