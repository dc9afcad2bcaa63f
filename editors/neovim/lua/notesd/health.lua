--- `:checkhealth notesd`

local M = {}

-- Neovim 0.10 renamed the reporting functions.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local failed = health.error or health.report_error

local function check_editor()
  start('Neovim')
  if vim.fn.has('nvim-0.7') == 1 then
    ok('is 0.7 or later')
  else
    failed('is older than 0.7', { 'Install a newer Neovim.' })
  end
  if vim.o.encoding == 'utf-8' then
    ok("'encoding' is utf-8")
  else
    failed("'encoding' is " .. vim.o.encoding, { 'Notes are UTF-8: :set encoding=utf-8' })
  end
end

local function check_daemon()
  local client = require('notesd.client')
  start('The daemon')
  local command = require('notesd.config').get().command[1]
  if vim.fn.executable(command) == 0 then
    failed(command .. ' is not on the path', { "Install it, or set its path: require('notesd').setup{ command = … }" })
    return
  end
  local err, status = client.ask('daemon.status', {})
  if err then
    failed('it does not answer: ' .. err.message, {
      'Start it: systemctl --user enable --now notesd.socket',
      "Or set its socket: NOTESD_SOCKET, or require('notesd').setup{ socket = … }", 'Run notesctl doctor to find out why.',
    })
    return
  end
  ok(('notesd %s, %d notes'):format(status.version, status.notes))
  if status.state == 'ok' then
    ok('it can write')
  else
    warn('its state is ' .. status.state, { 'Run notesctl doctor to find out why.' })
  end
  if client.daemon.access == 'read' then
    warn('you have read-only access', { 'An administrator can grant more; see access in notesd.toml.' })
  end
  for _, capability in ipairs({ 'search', 'presence' }) do
    if client.can(capability) then
      ok('it supports ' .. capability)
    else
      warn(('it does not support %s'):format(capability), { 'A newer notesd does.' })
    end
  end
end

function M.check()
  check_editor()
  check_daemon()
end

return M
