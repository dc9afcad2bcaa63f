--- Read-only windows that show a text.

local M = {}

local retry_ms = 20

--- Shows a text in a split, in a buffer that follows no note. Returns the buffer.
function M.show(name, text, command)
  vim.cmd(command or 'botright split')
  local handle = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_win_set_buf(0, handle)
  local plain = text:gsub('\r\n', '\n')
  local lines = require('notesd.layout').shown(require('notesd.layout').split(plain))
  vim.api.nvim_buf_set_lines(handle, 0, -1, false, lines)
  vim.bo[handle].bufhidden, vim.bo[handle].filetype = 'wipe', 'markdown'
  vim.bo[handle].modifiable = false
  pcall(vim.api.nvim_buf_set_name, handle, name)
  return handle
end

--- Shows a text that the user did not request, once it interrupts no command. The current window
--- stays current, so that typing goes on there.
function M.show_beside(name, text)
  if require('notesd.half_typed').buffer() then
    vim.defer_fn(function()
      M.show_beside(name, text)
    end, retry_ms)
    return
  end
  local window = vim.api.nvim_get_current_win()
  M.show(name, text)
  vim.api.nvim_set_current_win(window)
end

return M
