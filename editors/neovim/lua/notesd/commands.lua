--- The commands that plugin/notesd.lua defines.

local client = require('notesd.client')
local config = require('notesd.config')
local Note = require('notesd.note')
local levels = vim.log.levels

local M = {}

--- The note of the current buffer. If there is none, tells the user and returns nil.
local function current()
  local note = Note.of(0)
  if not note or not note.id then
    client.tell('this buffer shows no note', levels.WARN)
    return nil
  end
  return note
end

--- Shows the note with a name or an id.
function M.edit(name)
  local note = Note.named(name)
  if note then
    vim.cmd('buffer ' .. note.handle)
    return
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

function M.paste()
  local note = current()
  if note then
    require('notesd.links').paste(note)
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
    client.tell(('%s: %s%s; version %s'):format(note:shown_name(), word, why and ' (' .. why .. ')' or '',
      note.version or 'none'))
  else
    client.wait_ready()
    client.tell(client.is_up and 'connected' or client.trouble())
  end
end

--- `:NotesDelete[!]`
function M.delete(given)
  local note = current()
  if not note then
    return
  elseif not given.bang and vim.fn.confirm(('Delete %s?'):format(note:shown_name()), '&Yes\n&No', 2) ~= 1 then
    return
  end
  note:save(true, function(unsaved)
    if unsaved then
      note:tell('not deleted: ' .. unsaved, levels.ERROR)
      return
    end
    client.request('buffer.delete', { buffer = note.number }, function(err)
      if err then
        note:tell('not deleted: ' .. err.message, levels.ERROR)
      elseif not note.deleted then
        note:tell('not deleted: others wrote to it in the meantime. :NotesConflicts resolves it', levels.WARN)
      elseif not note:is_settled() then
        note:tell('deleted, but text typed in the meantime brings it back', levels.WARN)
      else
        note:tell('deleted; its history is kept')
        vim.schedule(function()
          if vim.api.nvim_buf_is_valid(note.handle) and not note.closed then
            vim.cmd(('bwipeout! %d'):format(note.handle))
          end
        end)
      end
    end)
  end)
end

--- `:NotesRename name`
function M.rename(given)
  local note = current()
  if not note then
    return
  end
  client.request('buffer.rename', { buffer = note.number, name = given.args }, function(err)
    if err then
      note:tell('not renamed: ' .. err.message, levels.ERROR)
    elseif note.name ~= given.args then
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

--- Called when the editor exits: the host gets what was typed, and saves it or keeps it as a draft. Waits
--- for that at most `answer_wait_ms`; the host goes on alone.
function M.leave()
  for _, note in pairs(client.open) do
    if note.buffer and not note.closed then
      note:typed()
      if note.is_new and note:text() ~= '' then
        note:load()
      end
    end
  end
  vim.wait(config.get().answer_wait_ms, function()
    for _, note in pairs(client.open) do
      if note.is_loading then
        return false
      end
    end
    return true
  end, 5)
  client.host():leave(config.get().answer_wait_ms)
end

return M
