--- Windows that show a text for looking at.

local M = {}

--- Shows a text in a split; nothing that is typed there goes anywhere. Returns the buffer.
function M.show(name, text, command)
  vim.cmd(command or 'botright split')
  local handle = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_win_set_buf(0, handle)
  local lines, shape = require('notesd.layout').decode(text)
  vim.api.nvim_buf_set_lines(handle, 0, -1, false, lines)
  vim.bo[handle].fileformat = shape.dos and 'dos' or 'unix'
  vim.bo[handle].bufhidden, vim.bo[handle].filetype = 'wipe', 'markdown'
  vim.bo[handle].modifiable = false
  pcall(vim.api.nvim_buf_set_name, handle, name)
  return handle
end

--- The same for a text that the user did not ask for: what is typed goes on where it went.
function M.show_beside(name, text)
  local window = vim.api.nvim_get_current_win()
  local handle = M.show(name, text)
  vim.api.nvim_set_current_win(window)
  return handle
end

return M
