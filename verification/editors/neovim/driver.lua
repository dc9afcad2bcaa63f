-- Lets a test drive this Neovim: connects to the socket in NOTESD_TEST_DRIVER, reads one command
-- per line, and answers each. `verification/editors/README.md` lists the commands. Typed text goes
-- through Neovim's own input, like the keys of a user.

local api = vim.api
local pipe = vim.loop.new_pipe(false)
local pending = {}
local log = {}

-- This timeout is long enough for a busy machine; it passes only if nothing answers.
vim.g.notesd = { answer_wait_ms = 10000 }

-- For tests of what the screen shows.
_G.notify_of_neovim = vim.notify

vim.notify = function(message, level)
  log[#log + 1] = { message = message, level = level or vim.log.levels.INFO }
end

local function answer(id, value, failure)
  local line = vim.json.encode({ id = id, value = value == nil and vim.NIL or value, failure = failure })
  pipe:write(line .. '\n')
end

-- Typed after the keys of a command: when Neovim reads it, it has processed those keys.
vim.keymap.set({ 'n', 'i', 'x', 'o', 'c', 's' }, '<F12>', function()
  local id = table.remove(pending, 1)
  if id then
    answer(id, true)
  end
end)

local function note()
  return require('notesd.note').of(0)
end

--- The text of a note, byte for byte.
local function text_of(shown)
  return (shown:text():gsub('\n', shown.buffer.is_dos and '\r\n' or '\n'))
end

local function text_now()
  local shown = note()
  if shown and shown.buffer then
    return text_of(shown)
  end
  return vim.NIL
end

local function escaped(text)
  return (text:gsub('<', '<lt>'):gsub('\n', '<CR>'))
end

--- Puts the cursor at an offset of the text, or on the character that contains it.
local function go_to(offset)
  local buffer, text = note().buffer, text_now()
  while offset > 0 and offset < #text and text:byte(offset + 1) >= 0x80 and text:byte(offset + 1) < 0xC0 do
    offset = offset - 1
  end
  local _, ends = text:sub(1, offset):gsub('\n', '')
  local before = text:sub(1, offset):match('[^\n]*$')
  local row, col = require('notesd.cursor').within(buffer, { ends, #before })
  api.nvim_win_set_cursor(0, { row + 1, col })
  return row, col, #buffer.lines[row + 1]
end

--- Commands that return a value immediately.
local immediate = {}

function immediate.open(command)
  vim.cmd('silent edit ' .. vim.fn.fnameescape('notes://' .. command.note))
  return true
end

function immediate.text()
  return text_now()
end

--- The state that tests compare: the text, its version, whether everything is acknowledged, and the
--- status.
function immediate.state()
  local shown = note()
  local row, col = unpack(api.nvim_win_get_cursor(0))
  return {
    text = text_now(), version = shown and shown.version or vim.NIL, settled = shown ~= nil and shown:is_settled() and not shown.is_waiting,
    status = shown and (shown:status()) or vim.NIL, modified = vim.bo.modified, row = row - 1, col = col,
    mode = api.nvim_get_mode().mode,
  }
end

function immediate.log()
  return log
end

function immediate.undo()
  return require('notesd').undo()
end

function immediate.redo()
  return require('notesd').redo()
end

function immediate.go(command)
  go_to(command.at)
  return true
end

--- Makes the editor lose its connection, as a network failure would.
function immediate.eval(command)
  return assert(loadstring(command.code))()
end

--- Commands that are typed: each returns the keys.
local typed = {}

function typed.insert(command)
  local _, col, length = go_to(command.at)
  local key = (col >= length and length > 0) and 'a' or 'i'
  return key .. escaped(command.text) .. '<Esc>'
end

--- Deletes the one character at an offset, which may be a line end.
function typed.drop(command)
  local _, col, length = go_to(command.at)
  return ((col >= length and length > 0) and 'a' or 'i') .. '<Del><Esc>'
end

function typed.delete(command)
  local start = text_now():find(command.text, 1, true)
  if not start then
    return nil
  end
  go_to(start - 1)
  return vim.fn.strchars(command.text) .. 'x'
end

function typed.keys(command)
  return command.keys
end

local function carry_out(command)
  if command['do'] == 'quit' then
    answer(command.id, true)
    vim.schedule(function()
      vim.cmd('qall!')
    end)
  elseif command['do'] == 'save' then
    note():save(command.insist, function(err, version)
      answer(command.id, { durable = err == nil, message = err or version })
    end)
  elseif immediate[command['do']] then
    answer(command.id, immediate[command['do']](command))
  elseif typed[command['do']] then
    local keys = typed[command['do']](command)
    if not keys then
      return answer(command.id, false)
    end
    pending[#pending + 1] = command.id
    api.nvim_input(keys .. '<F12>')
  else
    error('no command ' .. tostring(command['do']))
  end
end

local rest = ''
pipe:connect(os.getenv('NOTESD_TEST_DRIVER'), function(err)
  assert(not err, err)
  pipe:read_start(function(_, data)
    if not data then
      return vim.schedule(function()
        vim.cmd('qall!')
      end)
    end
    rest = rest .. data
    local lines = {}
    for line in rest:gmatch('([^\n]*)\n') do
      lines[#lines + 1] = line
    end
    rest = rest:match('[^\n]*$')
    vim.schedule(function()
      for _, line in ipairs(lines) do
        local command = vim.json.decode(line)
        local ok, why = pcall(carry_out, command)
        if not ok then
          answer(command.id, nil, tostring(why))
        end
      end
    end)
  end)
end)
