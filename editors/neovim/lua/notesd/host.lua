--- The program `notesctl attach` (docs/attach.md), which merges, sends and keeps drafts. Runs it, and
--- runs it again when it ends.
---
---     local host = Host.new({ command = function() return { 'notesctl', 'attach', '--stdio' } end,
---                             hello = function() return { … } end, on_ready = function(hello) end,
---                             on_end = function(reason) end, on_notice = function(method, params) end,
---                             on_error = function(why) end })
---     host:start()
---     host:request('note.get', { name = 'a' }, function(err, result) end)
---
--- All callbacks run on the main loop, in the order of the lines. A request that is unanswered when the
--- program ends gets `err.kind == 'closed'`.

local uv = require('notesd.uv')

local Host = {}
Host.__index = Host

local backoff_min_ms, backoff_max_ms = 50, 5000

function Host.new(options)
  return setmetatable({
    options = options, state = 'off', backoff_ms = backoff_min_ms, next_id = 0, waiting = {}, generation = 0,
  }, Host)
end

--- Whether the host accepts requests.
function Host:is_ready()
  return self.state == 'ready'
end

--- Runs the program, again and again until `leave`.
function Host:start()
  if self.state == 'off' then
    self:_run()
  end
end

function Host:_run()
  self.generation = self.generation + 1
  local generation = self.generation
  self.state, self.pieces = 'hello', {}
  local input, output = uv.new_pipe(false), uv.new_pipe(false)
  local command = self.options.command()
  -- In a session of its own, so that it saves everything when Neovim is killed with its terminal.
  local settings = { args = vim.list_slice(command, 2), stdio = { input, output, nil }, detached = true }
  local process, number
  process, number = uv.spawn(command[1], settings, function()
    process:close()
  end)
  self.input, self.output, self.process = input, output, number
  if not process then
    self:_ended(('%s does not start (%s); install it, or set `command`'):format(command[1], number))
    return
  end
  output:read_start(function(err, data)
    self:_read(generation, err, data)
  end)
  self:_request('attach.hello', self.options.hello(), function(failure, hello)
    if not failure then
      self.state, self.backoff_ms, self.trouble = 'ready', backoff_min_ms, nil
      self.options.on_ready(hello)
    elseif failure.kind ~= 'closed' then
      self:_ended(failure.message)
    end
  end)
end

--- Calls an action for one note or one line. Reports an error in it, so that the others go on.
function Host:_guard(action, ...)
  local ok, why = xpcall(action, debug.traceback, ...)
  if not ok then
    self.options.on_error(why)
  end
end

--- Runs off the main loop: assembles lines, and passes them to the main loop.
function Host:_read(generation, err, data)
  if err or not data then
    vim.schedule(function()
      if generation == self.generation then
        self:_ended('notesctl attach ended')
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

--- The failure that callbacks get for an error object: `code`, `kind`, `message`, `data`.
local function failure_of(item)
  local data = type(item.data) == 'table' and item.data or {}
  return { code = item.code, kind = data.kind or 'unknown', message = item.message or 'no reason given', data = data }
end

function Host:_line(line)
  local message = vim.json.decode(line, { luanil = { object = true, array = false } })
  if message.method then
    self.options.on_notice(message.method, message.params or {})
    return
  end
  local callback = message.id and self.waiting[message.id]
  if not callback then
    self.options.on_error(message.error and message.error.message or line)
    return
  end
  self.waiting[message.id] = nil
  if message.error then
    callback(failure_of(message.error))
  else
    callback(nil, message.result or {})
  end
end

--- Sends a request; `callback(err, result)` runs once. Without a host, returns false and never calls
--- it.
function Host:request(method, params, callback)
  if self.state ~= 'ready' then
    return false
  end
  self:_request(method, params, callback)
  return true
end

function Host:_request(method, params, callback)
  self.next_id = self.next_id + 1
  self.waiting[self.next_id] = callback
  self:_write({ jsonrpc = '2.0', id = self.next_id, method = method, params = next(params) and params or vim.empty_dict() })
end

--- Sends a notification, if there is a host.
function Host:notify(method, params)
  if self.state == 'ready' then
    self:_write({ jsonrpc = '2.0', method = method, params = params })
  end
end

function Host:_write(message)
  -- If the program has ended, so will its output, and `_ended` follows.
  self.input:write(vim.json.encode(message) .. '\n')
end

--- Handles the end of the program. Runs it again after a wait that doubles each time.
function Host:_ended(reason)
  self.generation = self.generation + 1
  local generation = self.generation
  local is_leaving = self.state == 'leaving'
  self.state, self.trouble = 'waiting', reason
  for _, pipe in pairs({ self.input, self.output }) do
    if not pipe:is_closing() then
      pipe:close()
    end
  end
  self.input, self.output = nil, nil
  local waiting = self.waiting
  self.waiting = {}
  for _, callback in pairs(waiting) do
    self:_guard(callback, { kind = 'closed', message = reason, data = {} })
  end
  if is_leaving then
    self.state = 'off'
    return
  end
  self:_guard(self.options.on_end, reason)
  vim.defer_fn(function()
    if generation == self.generation then
      self:_run()
    end
  end, self.backoff_ms)
  self.backoff_ms = math.min(self.backoff_ms * 2, backoff_max_ms)
end

--- Ends the input of the program, which then saves everything and ends, and waits for that.
function Host:leave(wait_ms)
  if self.state == 'ready' or self.state == 'hello' then
    self.state = 'leaving'
    self.input:shutdown()
    vim.wait(wait_ms, function()
      return self.state ~= 'leaving'
    end, 5)
  end
end

return Host
