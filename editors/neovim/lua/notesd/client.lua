--- The host of this editor, and the notes that are open in it.

local Host = require('notesd.host')
local config = require('notesd.config')
local uv = require('notesd.uv')

local M = {
  --- The open notes, by buffer; and by their number in the protocol.
  open = {}, numbered = {},
  --- Whether the daemon answers.
  is_up = false,
}

--- Reports an error in the plugin itself, so that everything else goes on.
local function failed(why)
  M.tell('internal error: ' .. tostring(why), vim.log.levels.ERROR)
end

local function each(method, ...)
  for _, note in pairs(vim.tbl_extend('force', {}, M.open)) do
    local ok, why = xpcall(note[method], debug.traceback, note, ...)
    if not ok then
      failed(why)
    end
  end
end

--- The daemon went or came back.
local function daemon(hello)
  M.is_up = hello ~= nil
  M.daemon = hello or M.daemon
  if hello then
    require('notesd.notices').ready()
    each('connected')
  else
    require('notesd.notices').lost()
    each('lost')
  end
end

local function notice(method, params)
  if method == 'attach.daemon' then
    daemon(params.up and params or nil)
    return
  end
  local note = M.numbered[params.buffer]
  if note and not note.closed then
    note:heard(method, params)
  end
end

--- The command that runs the host.
local function command()
  local words = vim.list_extend({}, config.get().command)
  local socket = config.get().socket
  if socket then
    vim.list_extend(words, { '--socket', socket })
  end
  return words
end

local function hello()
  local version = vim.version()
  return {
    protocol = { 1 }, positions = 'utf-8 lines', label = (uv.os_gethostname() or 'here') .. '/nvim', writer = M.writer,
    client = { name = 'notesd.nvim', version = ('nvim-%d.%d.%d'):format(version.major, version.minor, version.patch) },
  }
end

--- The host. The first call starts it.
function M.host()
  if not M.running then
    M.running = Host.new({
      command = command, hello = hello,
      on_ready = function(greeting)
        daemon(greeting.daemon and greeting or nil)
      end,
      on_end = function()
        daemon(nil)
      end,
      on_notice = notice, on_error = failed,
    })
    M.running:start()
  end
  return M.running
end

local numbers = 0

--- A number for a buffer in the protocol.
function M.next_number()
  numbers = numbers + 1
  return numbers
end

--- Whether the daemon has a capability.
function M.can(capability)
  return M.daemon ~= nil and vim.tbl_contains(M.daemon.capabilities or {}, capability)
end

--- Why the daemon does not answer.
function M.trouble()
  return M.host().trouble or 'the daemon does not answer'
end

--- Sends a request. `callback(err, result)` runs once, even without a host; `err` has `code`, `kind`
--- and `message`.
function M.request(method, params, callback)
  local host = M.host()
  if not host:request(method, params, callback) then
    vim.schedule(function()
      callback({ kind = 'closed', message = M.trouble(), data = {} })
    end)
  end
end

function M.notify(method, params)
  M.host():notify(method, params)
end

--- Waits for the host, at most `answer_wait_ms`; the user can interrupt the wait. Whether it is ready.
function M.wait_ready()
  local host = M.host()
  vim.wait(config.get().answer_wait_ms, function()
    return host:is_ready()
  end, 2)
  return host:is_ready()
end

--- Sends a request and waits for the response, as `wait_ready` waits. Returns the error, or nil and
--- the result. For interactive commands.
function M.ask(method, params)
  if not M.wait_ready() then
    return { kind = 'closed', message = M.trouble(), data = {} }
  end
  local answer
  M.request(method, params, function(err, result)
    answer = { err = err, result = result }
  end)
  vim.wait(config.get().answer_wait_ms, function()
    return answer ~= nil
  end, 2)
  if not answer then
    return { kind = 'timeout', message = 'the daemon has not answered yet', data = {} }
  end
  return answer.err, answer.result
end

--- Shows a message to the user.
function M.tell(message, level)
  require('notesd.message').show('notesd: ' .. message, level)
end

return M
