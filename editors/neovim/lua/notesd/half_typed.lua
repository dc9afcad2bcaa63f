--- Whether the user is in the middle of a command.
---
--- Neovim keeps positions in the text for such a command: where an operator or a search began, where
--- a completed word begins. The user may also have typed line numbers. Nothing may move until the
--- command ends.

local api = vim.api

local M = {}

--- A pending operator, a question, a completion.
local modes = { '^no', '^r', '^[iR]v?c' }

--- Whether the user types in a command line: of a command, a search, `input()`. While something is
--- selected, `mode()` does not report it. The lines of Ex mode (`cv`, `ce`) follow each other without
--- a pause, so they do not count.
local function has_command_line(mode)
  return vim.fn.getcmdtype() ~= '' and not mode:find('^c[ve]')
end

--- The buffer in which a command is half typed, or nil.
function M.buffer()
  if vim.fn.getcmdwintype() ~= '' then
    return vim.fn.winbufnr(vim.fn.winnr('#'))
  end
  local mode = api.nvim_get_mode().mode
  local is_half = has_command_line(mode) or vim.fn.pumvisible() == 1
  for _, pattern in ipairs(modes) do
    is_half = is_half or mode:find(pattern) ~= nil
  end
  return is_half and api.nvim_get_current_buf() or nil
end

return M
