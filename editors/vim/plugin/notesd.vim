vim9script
# Commands and events of the notesd plugin; README.md describes them.

if exists('g:loaded_notesd') || !has('patch-9.0.0') || !has('channel')
  finish
endif
g:loaded_notesd = 1

import autoload '../autoload/notesd.vim'

command! -bang -nargs=1 -complete=customlist,notesd.Names Note notesd.Note(<q-args>, <bang>false)
command! -bar NotePeople notesd.People()
command! -bar -count=1 NoteUndo notesd.Undo('undo', <count>)
command! -bar -count=1 NoteRedo notesd.Undo('redo', <count>)

augroup notesd
  autocmd!
  autocmd BufReadCmd notesd://* notesd.Read(str2nr(expand('<abuf>')), expand('<amatch>'))
  autocmd BufWriteCmd notesd://* notesd.Write(str2nr(expand('<abuf>')), expand('<amatch>'))
  autocmd BufUnload notesd://* notesd.Close(str2nr(expand('<abuf>')))
  autocmd InsertEnter,InsertLeave notesd://* notesd.EndStep()
  autocmd CursorMoved,CursorMovedI notesd://* notesd.Select()
  autocmd OptionSet endofline notesd.Compare()
  autocmd ModeChanged * notesd.ModeChanged(v:event.old_mode, v:event.new_mode)
  autocmd SafeState * notesd.Ready()
  autocmd VimLeavePre * notesd.End()
augroup END
