-- Defines the commands and the notes:// buffers. The plugin's modules load on first use.

if vim.g.loaded_notesd == 1 then
  return
end
vim.g.loaded_notesd = 1

if vim.fn.has('nvim-0.7') == 0 then
  vim.api.nvim_echo({ { 'notesd needs Neovim 0.7 or later', 'ErrorMsg' } }, true, {})
  return
end

local function command(name, action, options)
  vim.api.nvim_create_user_command(name, function(given)
    require('notesd.commands')[action](given)
  end, options)
end

local function complete(...)
  return require('notesd.commands').complete(...)
end

command('Notes', 'notes', { nargs = '?', complete = complete, desc = 'Open a note, or choose one' })
command('NotesConflicts', 'conflicts', { nargs = 0, desc = 'Resolve the conflicts of this note' })
command('NotesHistory', 'history', { nargs = 0, desc = 'List the revisions of this note' })
command('NotesSearch', 'search', { nargs = '+', bang = true, desc = 'Search all notes into the quickfix list' })
command('NotesFollow', 'follow', { nargs = 0, desc = 'Open the note that the link at the cursor means' })
command('NotesPaste', 'paste', { nargs = 0, desc = 'Keep the picture in the clipboard, and put a link to it' })
command('NotesBacklinks', 'backlinks', { nargs = 0, bang = true, desc = 'List the links to this note' })
command('NotesStatus', 'status', { nargs = 0, desc = 'Show the state of this note' })
command('NotesDelete', 'delete', { nargs = 0, bang = true, desc = 'Delete this note' })
command('NotesRename', 'rename', { nargs = 1, complete = complete, desc = 'Rename this note' })
command('NotesUndo', 'undo', { nargs = 0, desc = 'Undo your own last change' })
command('NotesRedo', 'redo', { nargs = 0, desc = 'Redo your own last change' })

local group = vim.api.nvim_create_augroup('notesd', { clear = true })

vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'notes://*',
  nested = true,
  callback = function(event)
    require('notesd.note').open(event.buf)
  end,
})

local files = { BufWriteCmd = 'write', FileWriteCmd = 'write_lines', FileAppendCmd = 'refuse', FileReadCmd = 'refuse' }
for event, action in pairs(files) do
  vim.api.nvim_create_autocmd(event, {
    group = group,
    pattern = 'notes://*',
    callback = function(given)
      require('notesd.files')[action](given)
    end,
  })
end

vim.api.nvim_create_autocmd('VimLeavePre', {
  group = group,
  callback = function()
    if package.loaded['notesd.client'] then
      require('notesd.commands').leave()
    end
  end,
})
