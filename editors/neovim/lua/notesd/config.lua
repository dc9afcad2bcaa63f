--- The options, set with `require('notesd').setup{}` or `vim.g.notesd`.

local M = {}

local defaults = {
  --- The program that speaks with the daemon, and its arguments.
  command = { 'notesctl', 'attach', '--stdio' },
  --- The daemon's socket; if nil, the program finds it as `:help notesd-socket` says.
  socket = nil,
  --- Whether to map `u`, CTRL-R and the like, in note buffers, to the plugin's own undo.
  mappings = true,
  --- Whether to draw others' cursors, and to send them this editor's.
  presence = true,
  --- How long `:write` waits for the daemon, in ms. After that a message reports when all is on
  --- disk.
  write_wait_ms = 300,
  --- How long opening a note, leaving the editor and other commands wait for the daemon, in ms.
  answer_wait_ms = 2000,
}

function M.get()
  return vim.tbl_extend('force', {}, defaults, vim.g.notesd or {}, M.given or {})
end

--- Sets the options. Raises an error for an unknown setting or a wrong type.
function M.set(given)
  if type(given) ~= 'table' then
    error('notesd: setup() takes a table; see :help notesd-settings', 0)
  end
  for name, value in pairs(given) do
    local wanted = name == 'socket' and 'string' or type(defaults[name])
    if wanted == 'nil' then
      error(('notesd: unknown setting %q; see :help notesd-settings'):format(name), 0)
    elseif type(value) ~= wanted then
      error(('notesd: setting %s must be a %s, not a %s; see :help notesd-settings'):format(name, wanted, type(value)), 0)
    end
  end
  M.given = given
end

return M
