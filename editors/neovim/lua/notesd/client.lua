--- The connection of this editor, and the notes that are open in it.

local Link = require('notesd.link')
local config = require('notesd.config')
local uv = require('notesd.uv')

local M = { open = {} }

--- The user's own socket in a session without runtime directory, in the state directory. Nil if it
--- does not exist, or if others could have made it.
local function in_state()
  local state = os.getenv('XDG_STATE_HOME')
  if not state or state == '' then
    state = (os.getenv('HOME') or '') .. '/.local/state'
  end
  local path = state .. '/notesd/notesd.sock'
  local folder = uv.fs_stat(state .. '/notesd')
  if folder and folder.uid == uv.getuid() and folder.mode % 64 == 0 and uv.fs_stat(path) then
    return path
  end
end

--- The path of the daemon's socket: the option `socket`, else $NOTESD_SOCKET, else the user's own,
--- else that of the shared service.
function M.socket()
  local named = config.get().socket or os.getenv('NOTESD_SOCKET')
  if named and named ~= '' then
    return named
  end
  local runtime = os.getenv('XDG_RUNTIME_DIR')
  local own
  if runtime and runtime ~= '' then
    own = runtime .. '/notesd/notesd.sock'
  else
    own = in_state()
  end
  local system = '/run/notesd/notesd.sock'
  if own and (uv.fs_stat(own) or not uv.fs_stat(system)) then
    return own
  end
  return system
end

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

local function notice(method, params)
  if method == 'presence.changed' then
    require('notesd.presence').heard(params)
    return
  end
  for _, note in pairs(M.open) do
    local session = note.session
    if session and params.watch ~= nil and session.watch == params.watch then
      if method == 'watch.reset' then
        -- A reset clears the presence in all notes; the daemon sends it again.
        each('forget_others')
      end
      session:heard(method, params)
      return
    end
  end
end

--- The connection. The first call starts to connect.
function M.link()
  if not M.connection then
    M.connection = Link.new({
      path = M.socket,
      label = (uv.os_gethostname() or 'here') .. '/nvim',
      on_ready = function(hello)
        M.hello = hello
        require('notesd.notices').ready()
        each('connected', hello)
      end,
      on_lost = function(reason)
        each('lost', reason)
        require('notesd.notices').lost()
      end,
      on_notice = notice,
      on_error = failed,
    })
    M.connection:start()
  end
  return M.connection
end

--- Whether the daemon has a capability.
function M.can(capability)
  return M.hello ~= nil and vim.tbl_contains(M.hello.capabilities or {}, capability)
end

--- Sends a request. `callback(err, result)` runs once, even without a connection; `err` has `kind`
--- and `message`.
function M.request(method, params, callback)
  local link = M.link()
  if not link:request(method, params, callback) then
    vim.schedule(function()
      callback({ kind = 'closed', message = link.trouble or 'not connected to the daemon', data = {} })
    end)
  end
end

--- Waits for the connection, at most `answer_wait_ms`; the user can interrupt the wait. Whether it
--- is ready.
function M.wait_ready()
  local link = M.link()
  vim.wait(config.get().answer_wait_ms, function()
    return link:is_ready()
  end, 2)
  return link:is_ready()
end

--- Sends a request and waits for the response, as `wait_ready` waits. Returns the error, or nil and
--- the result. For interactive commands.
function M.ask(method, params)
  if not M.wait_ready() then
    return { kind = 'closed', message = M.link().trouble or ('no daemon at ' .. M.socket()), data = {} }
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
