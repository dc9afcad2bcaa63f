--- Messages to the user. A message that does not fit into the last line makes Neovim ask for ENTER, and
--- nothing that others write appears until the user answers. So the screen shows one line of it, and
--- `:messages` has all of it, in several lines.

local api = vim.api
local levels = vim.log.levels

local M = {}

--- Interval at which a message waits until a command line or a question ends.
local busy_ms = 50

local highlights = { [levels.ERROR] = 'ErrorMsg', [levels.WARN] = 'WarningMsg' }

--- The text, cut to a number of screen columns; and the rest, or nil.
function M.cut(text, width)
  if vim.fn.strdisplaywidth(text) <= width then
    return text, nil
  end
  local count = vim.fn.strchars(text)
  repeat
    count = count - 1
  until count <= 1 or vim.fn.strdisplaywidth(vim.fn.strcharpart(text, 0, count)) < width
  return vim.fn.strcharpart(text, 0, count) .. '…', vim.fn.strcharpart(text, count)
end

--- Shows one line in place of the message before, of which it would otherwise be the second line.
local function echo(line, highlight, is_kept)
  pcall(vim.cmd, 'redraw')
  api.nvim_echo({ { line, highlight } }, is_kept, {})
end

--- Neovim adds to `:messages` only what it shows, so all lines of a long message are shown, and the
--- first once more.
local function show_now(text, highlight)
  local first, rest = M.cut(text, vim.v.echospace)
  echo(first, highlight, true)
  while rest do
    local line
    line, rest = M.cut(rest, vim.v.echospace)
    echo(line, highlight, true)
    if not rest then
      echo(first, highlight, false)
    end
  end
end

local waiting = {}

--- Shows the messages as soon as the last line is free.
local function show()
  local first = api.nvim_get_mode().mode:sub(1, 1)
  if first == 'c' or first == 'r' then
    vim.defer_fn(show, busy_ms)
    return
  end
  local messages = waiting
  waiting = {}
  for _, message in ipairs(messages) do
    show_now(unpack(message))
  end
end

--- Whether `vim.notify` is Neovim's own. A replacement has its own place for messages.
local function is_own()
  return debug.getinfo(vim.notify, 'S').source:find('^@vim/') ~= nil
end

--- Shows a message; `level` is one of vim.log.levels.
function M.show(text, level)
  level = level or levels.INFO
  if not is_own() then
    vim.notify(text, level)
    return
  end
  table.insert(waiting, { (text:gsub('%s*\n%s*', ' ')), highlights[level] })
  if #waiting == 1 then
    show()
  end
end

return M
