--- The state that one open note shares with the daemon. Knows no buffer and no socket.
---
--- `shadow` is the text of `version`, the last text agreed on with the daemon. The text shown is the
--- shadow, or the text under way in `flight`, with `pending` applied: the edits typed since. If
--- `pending` does not lead to the text shown, it is computed anew. One exchange is under way:
---
---     idle ── typed ──────────────▶ writing ── answered ──▶ taking ──▶ idle
---     idle ── change announced ───▶ reading ── answered ──▶ taking ──▶ idle
---     idle ── shadow in doubt ────▶ checking ─ answered ──▶ taking ──▶ idle
---
--- `flight` keeps a sent write until it is answered; the next connection resends it with its `op`.
--- `taking` applies others' edits to the text shown, and only then adopts their version and text.
---
--- `host` is the buffer:
---   text()               the text shown
---   apply(edits)         applies edits to the text shown
---   when_free(action)    calls `action` when the text may be changed, usually at once
---   request(method, params, callback)   sends a request; false if there is no connection
---   later(ms, action)    calls `action` after `ms`
---   now_ms()             a monotonic clock
---   op()                 a unique name for a write
---   sending()            called before a write goes out for the first time
---   renamed()            called when `name` has changed
---   tell(message, level) shows a message to the user; `level` is one of vim.log.levels
---   changed()            called when `status` may have changed

local diff = require('notesd.diff')
local edits = require('notesd.edits')
local levels = vim.log.levels

local Session = {}
Session.__index = Session

--- Text older than this is sent as a whole, so that the daemon marks others' changes that touch it.
Session.held_ms = 10000
--- How long others' edits wait for the buffer before typed text goes out without them.
Session.busy_ms = 1000
--- Number of versions after which the shadow is compared with the daemon's text.
Session.check_every = 500

function Session.new(host, note)
  local self = setmetatable({}, Session)
  self.host = host
  self.id, self.name = note.id, note.name
  self.shadow, self.version = note.text or '', note.version
  self.conflicts = note.conflicts or {}
  self.pending = {}
  self.kept = {}
  self.savers = {}
  self.resolving = {}
  self.orders = {}
  self.taken = 0
  return self
end

--- `offline`, `parted`, `deleted`, `refused`, `sending` or `synced`; and the trouble, if any.
function Session:status()
  if self.parted then
    return 'parted', self.trouble
  elseif not self.connected then
    return 'offline', self.trouble
  elseif self.trouble then
    return 'refused', self.trouble
  elseif self.gone then
    return 'deleted'
  end
  return self:is_settled() and 'synced' or 'sending'
end

--- Whether everything shown is acknowledged.
function Session:is_settled()
  return not self.flight and not self.taking and not self.dirty_ms and #self.orders == 0
end

-- Events.

--- Records typed edits, which apply to the text shown before.
function Session:found(made)
  self.pending = edits.compose(self.pending, made)
  self.dirty_ms = self.dirty_ms or self.host.now_ms()
end

--- The edits typed since `from` was shown.
function Session:_typed_since(from, text)
  if edits.apply(from, self.pending) ~= text then
    self.pending = diff.diff(from, text)
  end
  return self.pending
end

--- Handles a change of the text shown by the user.
function Session:typed()
  if not self.dirty_ms then
    self.dirty_ms = self.host.now_ms()
    self.host.changed()
  end
  if self.refused_text and self.refused_text ~= self.host.text() then
    self.trouble, self.refused_text = nil, nil
  end
  self:advance()
end

--- Handles a new connection: sends everything that waits.
function Session:connected_now()
  self.connected, self.trouble, self.told = true, nil, nil
  self.held = self.held or self.dirty_ms ~= nil
  self:_watch()
  self.host.changed()
  self:advance()
end

--- Handles the loss of the connection.
function Session:lost()
  self.connected, self.watch = false, nil
  if self.exchange == 'reading' or self.exchange == 'checking' then
    self.latest = self.latest or '?'
  end
  self.exchange = nil
  self:_answer_savers('not connected; your text is kept and sent when the daemon is back')
  self.host.changed()
end

--- The buffer is closed: sends nothing more. Calls `acknowledged()` if the open write succeeds.
function Session:close(acknowledged)
  self.acknowledged = acknowledged
  self.connected, self.closed = false, true
  self:_answer_savers('the buffer was closed; unsent text is kept on disk')
end

--- Sends what is left, and calls `done(err, version)` once, when all is on disk or cannot be.
function Session:save(done)
  if self.parted then
    done(self.trouble)
  elseif not self.connected then
    done('not connected; your text is kept and sent when the daemon is back')
  elseif self.trouble then
    self.trouble = nil
    self.savers[#self.savers + 1] = done
  elseif self.gone and self:is_settled() then
    done('the note was deleted elsewhere; :write! brings it back')
    return
  else
    self.savers[#self.savers + 1] = done
  end
  self:advance()
end

--- Resolves conflicts with the next write, even if it changes no text.
function Session:resolve(ids)
  vim.list_extend(self.resolving, ids)
  self.dirty_ms = self.dirty_ms or self.host.now_ms()
  self:advance()
end

--- Queues a write that the user ordered. It goes out alone, once everything typed is acknowledged.
--- Adds id, base (the version shown then) and op to `params`; `done(err, result)` runs once.
function Session:order(method, params, done)
  local why = self.parted and self.trouble or not self.connected and 'not connected' or self.trouble
  if why then
    done({ kind = 'closed', message = why })
    return
  end
  table.insert(self.orders, { method = method, params = params, done = done })
  self.host.changed()
  self:advance()
end

--- Handles a line of the watch: `note.changed`, `watch.synced`, `watch.reset` or `watch.bookmark`.
function Session:heard(method, params)
  if self.seq and params.seq ~= self.seq + 1 then
    self.latest = '?'
  end
  self.seq = params.seq
  self.cursor = params.cursor or self.cursor
  if method == 'watch.reset' then
    self.latest = '?'
  elseif method == 'note.changed' then
    self:_changed(params.change, params.note, params.origin)
  end
  self:advance()
end

function Session:_changed(change, note, origin)
  if change == 'left' or note.version == self.version then
    return
  end
  if note.deleted then
    self:_deleted(note.version, origin)
    return
  end
  if self:_is_idle() and not self.latest and note.edits and note.base == self.version then
    self:_take_note(self.shadow, note)
  else
    self.latest = note.version
  end
end

function Session:_deleted(version, origin)
  if self.gone ~= version then
    self.gone, self.latest = version, nil
    self.host.tell(('deleted%s. Typing brings it back; so does :write!'):format(
      origin and origin.label and (' by ' .. origin.label) or ' elsewhere'), levels.WARN)
    self.host.changed()
  end
end

function Session:_is_idle()
  return self.connected and not self.exchange and not self.taking and not self.flight and not self.parted
end

-- Requests.

--- Sends the next request that is due. Called after every event.
function Session:advance()
  if not self.connected or self.exchange or self.taking or self.parted or self.trouble then
    return
  end
  if self.flight then
    self:_send_flight()
    return
  end
  local text = self.host.text()
  local is_typed = text ~= self.shadow or #self.resolving > 0
  local is_held = self.held or (self.dirty_ms and self.host.now_ms() - self.dirty_ms > Session.held_ms)
  if self.doubt and not self.is_busy then
    self:_check()
  elseif is_typed and is_held then
    self:_write(text, true)
  elseif self.latest and not self.is_busy then
    self:_read()
  elseif is_typed then
    self:_write(text, false)
  elseif #self.orders > 0 then
    self:_send_order()
  elseif self.taken >= Session.check_every and not self.is_busy then
    self:_check()
  else
    self:_settle()
  end
end

function Session:_settle()
  self.held, self.told = false, nil
  if self.dirty_ms then
    self.dirty_ms = nil
    self.host.changed()
  end
  self:_answer_savers(nil)
end

function Session:_answer_savers(err)
  local savers, orders = self.savers, err and self.orders or {}
  self.savers, self.orders = {}, err and {} or self.orders
  for _, done in ipairs(savers) do
    done(err, self.version)
  end
  for _, order in ipairs(orders) do
    order.done({ kind = 'closed', message = err })
  end
end

--- Sends a request. `answered(err, result)` does not run if the connection has ended since.
function Session:_ask(exchange, method, params, answered)
  self.exchange = exchange
  local sent = self.host.request(method, params, function(err, result)
    if self.closed and exchange == 'writing' and not err then
      self.acknowledged()
    end
    if self.closed or self.exchange ~= exchange or (err and err.kind == 'closed') then
      return
    end
    self.exchange = nil
    answered(err, result)
    self:advance()
    self.host.changed()
  end)
  if not sent then
    self.exchange = nil
  end
end

function Session:_watch()
  local params = { filter = { ids = { self.id } }, include = 'edits', echo = false }
  if self.cursor then
    params.since = self.cursor
  else
    params.snapshot = false
    self.latest = self.latest or '?'
  end
  self.host.request('notes.watch', params, function(err, result)
    if err and err.kind ~= 'closed' then
      self.host.tell('changes by others will not appear: ' .. err.message, levels.WARN)
    elseif result then
      self.watch, self.cursor, self.seq = result.watch, result.cursor, 0
      if result.reset then
        self.latest = '?'
        self:advance()
      end
    end
  end)
end

local utf8 = require('notesd.utf8')

--- Whether edits of a valid text lead to a valid text and may be sent.
local function are_fine(made, text)
  for _, edit in ipairs(made) do
    if utf8.first_bad(edit.text) then
      return false
    end
  end
  return edits.from_wire(edits.to_wire(made), text) ~= nil
end

--- Sends the text shown, based on the shadow: as edits, or as a whole if it was `held`.
function Session:_write(text, held)
  local made = self:_typed_since(self.shadow, text)
  local is_fine = are_fine(made, self.shadow)
  local bad = not is_fine and utf8.first_bad(text)
  if bad then
    local _, row = text:sub(1, bad):gsub('\n', '')
    self:_refused(('line %d has bytes that are not UTF-8; nothing is sent until they are gone'):format(row + 1), true)
    return
  end
  if not is_fine then
    -- A script changed part of a character; comparing anew gives edits of whole characters.
    made = diff.diff(self.shadow, text)
  end
  local params = { id = self.id, base = self.version, op = self.host.op() }
  local method = 'note.save'
  if held then
    params.text = text
  elseif #made > 0 then
    method, params.edits = 'note.edit', edits.to_wire(made)
  end
  if #self.resolving > 0 then
    params.resolves, self.resolving = self.resolving, {}
  end
  self.flight = { method = method, params = params, text = text, edits = made }
  self.pending = {}
  self.dirty_ms, self.held = nil, false
  self:_send_flight()
end

function Session:_send_order()
  local order, text = table.remove(self.orders, 1), self.host.text()
  local params = vim.tbl_extend('force', { id = self.id, base = self.version, op = self.host.op() }, order.params)
  self.flight = { method = order.method, params = params, text = text, edits = {}, done = order.done }
  self.pending = {}
  self:_send_flight()
end

function Session:_send_flight()
  local flight = self.flight
  if not flight.is_sent then
    flight.is_sent = true
    self.host.sending()
  end
  self:_ask('writing', flight.method, flight.params, function(err, result)
    if err then
      self:_write_failed(err, flight)
    else
      self:_written(flight, result)
    end
  end)
end

function Session:_read()
  self.latest = nil
  self:_ask('reading', 'note.get', { id = self.id, from = self.version }, function(err, result)
    if err then
      self.latest = '?'
      self:_failed(err)
    elseif result.note.deleted then
      self:_deleted(result.note.version)
    else
      self.gone = nil
      self:_take_note(self.shadow, result.note)
    end
  end)
end

--- Compares the shadow with the daemon's text of its version; corrects the buffer if they differ.
function Session:_check()
  self.doubt, self.taken = false, 0
  self:_ask('checking', 'note.get', { id = self.id, at = self.version }, function(err, result)
    if err then
      self:_failed(err)
    elseif result.note.text and result.note.text ~= self.shadow then
      self.host.tell('the buffer did not match the daemon; it has been corrected', levels.WARN)
      self:_take_note(self.shadow, { text = result.note.text, version = self.version, conflicts = result.note.conflicts })
    end
  end)
end

-- Processing of responses and of errors.
require('notesd.session_taking')(Session)
require('notesd.session_trouble')(Session)

return Session
