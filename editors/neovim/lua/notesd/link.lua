--- The connection to the daemon, which all open notes share: lines of JSON-RPC over a Unix socket.
--- The link reconnects after the connection is lost.
---
---     local link = Link.new({ path = function() return '/run/…/notesd.sock' end, label = 'desk/nvim',
---                             on_ready = function(hello) end, on_lost = function(reason) end,
---                             on_notice = function(method, params) end, on_error = function(why) end })
---     link:start()
---     link:request('note.get', { name = 'a' }, function(err, result) end)
---
--- All callbacks run on the main loop, in the order of the lines. A request that is unanswered when
--- the connection ends gets `err.kind == 'closed'`; the daemon may or may not have processed it.

local uv = require('notesd.uv')

local Link = {}
Link.__index = Link

local backoff_min_ms, backoff_max_ms = 50, 5000
--- A retry at once does not help after a failed hello.
local refused_ms = 30000

function Link.new(options)
  local self = setmetatable({}, Link)
  self.options = options
  self.state = 'off'
  self.backoff_ms = backoff_min_ms
  self.next_id = 0
  self.waiting = {}
  self.generation = 0
  return self
end

--- Whether the link accepts requests.
function Link:is_ready()
  return self.state == 'ready'
end

--- Connects, and reconnects until `stop`.
function Link:start()
  if self.state == 'off' then
    self:_connect()
  end
end

--- Closes the connection and does not reconnect.
function Link:stop()
  self.generation = self.generation + 1
  self:_close()
  self.state = 'off'
end

function Link:_connect()
  self.generation = self.generation + 1
  local generation = self.generation
  self.state, self.pieces = 'connecting', {}
  local pipe = uv.new_pipe(false)
  self.pipe = pipe
  local ok, why = pcall(function()
    return pipe:connect(self.options.path(), vim.schedule_wrap(function(err)
      if generation ~= self.generation then
        return
      elseif err then
        self:_lost('no daemon at ' .. self.options.path() .. ' (' .. err .. ')')
      else
        self:_say_hello(generation)
      end
    end))
  end)
  if not ok then
    self:_lost(tostring(why))
  end
end

function Link:_say_hello(generation)
  self.pipe:read_start(function(err, data)
    self:_read(generation, err, data)
  end)
  self.state = 'hello'
  local version = vim.version()
  self:_send('session.hello', {
    protocol = { 1 },
    client = { name = 'notesd.nvim', version = ('nvim-%d.%d.%d'):format(version.major, version.minor, version.patch) },
    label = self.options.label,
    positionEncoding = { 'utf-8' },
  }, function(failure, hello)
    if failure and failure.kind == 'closed' then
      return
    elseif failure then
      self:_lost(failure.message, refused_ms)
    elseif hello.positionEncoding ~= 'utf-8' then
      self:_lost('the daemon does not support the position encoding utf-8', refused_ms)
    else
      self.state, self.hello, self.backoff_ms, self.trouble = 'ready', hello, backoff_min_ms, nil
      self.options.on_ready(hello)
    end
  end)
end

--- Calls an action for one note or one line. Reports an error in it, so that the others go on.
function Link:_guard(action, ...)
  local ok, why = xpcall(action, debug.traceback, ...)
  if not ok then
    self.options.on_error(why)
  end
end

--- Runs off the main loop: assembles lines, and passes them to the main loop.
function Link:_read(generation, err, data)
  if err or not data then
    vim.schedule(function()
      if generation == self.generation then
        self:_lost(err and ('the connection failed: ' .. err) or 'the daemon closed the connection')
      end
    end)
    return
  end
  local start, lines = 1, {}
  while true do
    local stop = data:find('\n', start, true)
    if not stop then
      break
    end
    self.pieces[#self.pieces + 1] = data:sub(start, stop - 1)
    lines[#lines + 1] = table.concat(self.pieces)
    self.pieces = {}
    start = stop + 1
  end
  if start <= #data then
    self.pieces[#self.pieces + 1] = data:sub(start)
  end
  if #lines > 0 then
    vim.schedule(function()
      for _, line in ipairs(lines) do
        if generation == self.generation then
          self:_guard(self._line, self, line)
        end
      end
    end)
  end
end

--- The failure that callbacks get for an error object: `kind`, `message`, `data`, `retryable`.
local function failure_of(item)
  local data = type(item.data) == 'table' and item.data or {}
  return { code = item.code, kind = data.kind or 'unknown', message = item.message or 'no reason given', data = data,
    retryable = data.retryable == true }
end

function Link:_line(line)
  if line:match('^%s*$') then
    return
  end
  local ok, message = pcall(vim.json.decode, line, { luanil = { object = true, array = false } })
  if not ok or type(message) ~= 'table' then
    self:_lost('the daemon sent a line that is not JSON')
  elseif message.method then
    self:_notice(message.method, message.params or {})
  elseif message.id == nil then
    -- The link cannot know which request this means: sessions resend all of them with their `op`.
    local failure = failure_of(message.error or {})
    self:_lost(failure.message, failure.kind == 'overloaded' and 1000 or nil)
  else
    local callback = self.waiting[message.id]
    self.waiting[message.id] = nil
    if callback and message.error then
      callback(failure_of(message.error))
    elseif callback then
      callback(nil, message.result or {})
    end
  end
end

function Link:_notice(method, params)
  if method == 'session.closing' then
    self.retry_ms = tonumber(params.retryAfterMs)
  else
    self.options.on_notice(method, params)
  end
end

--- Sends a request; `callback(err, result)` runs once. Without a connection, returns false and
--- never calls it.
function Link:request(method, params, callback)
  if self.state ~= 'ready' then
    return false
  end
  return self:_send(method, params, callback)
end

function Link:_send(method, params, callback)
  self.next_id = self.next_id + 1
  local id, generation = self.next_id, self.generation
  if next(params) == nil then
    params = vim.empty_dict()
  end
  local line = vim.json.encode({ jsonrpc = '2.0', id = id, method = method, params = params })
  local most = self.hello and self.hello.limits and self.hello.limits.maxLineBytes
  if most and #line > most then
    vim.schedule(function()
      callback({ kind = 'line_too_long', message = 'the request is longer than the daemon allows', data = {} })
    end)
    return true
  end
  self.waiting[id] = callback
  self.pipe:write(line .. '\n', vim.schedule_wrap(function(err)
    if err and generation == self.generation then
      self:_lost('the connection failed: ' .. err)
    end
  end))
  return true
end

function Link:_close()
  local pipe = self.pipe
  self.pipe = nil
  if pipe and not pipe:is_closing() then
    pipe:close()
  end
  local waiting = self.waiting
  self.waiting = {}
  for _, callback in pairs(waiting) do
    self:_guard(callback, { kind = 'closed', message = 'the connection ended', data = {} })
  end
end

--- Handles the loss of the connection. Reconnects after a wait that doubles each time.
function Link:_lost(reason, wait_ms)
  self.generation = self.generation + 1
  local generation = self.generation
  self.state, self.trouble = 'waiting', reason
  self:_close()
  self:_guard(self.options.on_lost, reason)
  wait_ms = wait_ms or self.retry_ms or self.backoff_ms
  self.retry_ms = nil
  self.backoff_ms = math.min(self.backoff_ms * 2, backoff_max_ms)
  vim.defer_fn(function()
    if generation == self.generation then
      self:_connect()
    end
  end, wait_ms)
end

return Link
