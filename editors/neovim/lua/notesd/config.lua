--- What the user may set, by `require('notesd').setup{}` or `vim.g.notesd`.

local M = {}

local defaults = {
  --- The daemon's socket; nil: found as `:help notesd-socket` says.
  socket = nil,
  --- Whether `u`, CTRL-R and the like are mapped in buffers of notes to undoing one's own.
  mappings = true,
  --- Whether others' cursors are drawn.
  presence = true,
  --- How long `:write` waits for the daemon before it goes on, in ms; it is told then when all is on disk.
  write_wait_ms = 300,
  --- How long opening a note, leaving the editor and what asks the daemon wait for its answer, in ms.
  answer_wait_ms = 2000,
}

function M.get()
  return vim.tbl_extend('force', {}, defaults, vim.g.notesd or {}, M.given or {})
end

--- Takes settings over. Errors where there is no such setting, or it has another type.
function M.set(given)
  if type(given) ~= 'table' then
    error('notesd: setup() takes a table; see :help notesd-settings', 0)
  end
  for name, value in pairs(given) do
    local wanted = name == 'socket' and 'string' or type(defaults[name])
    if wanted == 'nil' then
      error(('notesd: there is no setting %q; see :help notesd-settings'):format(name), 0)
    elseif type(value) ~= wanted then
      error(('notesd: the setting %s is a %s, not a %s; see :help notesd-settings'):format(name, wanted, type(value)), 0)
    end
  end
  M.given = given
end

return M
