vim9script
# Changes the text of a buffer as the host asks.

import autoload 'notesd/text.vim' as texts

# Applies edits, and keeps the carets with their characters.
export def Replace(note: dict<any>, edits: list<any>, selection: list<any> = [])
  var buffer = note.shown_in
  var [modified, modifiable] = [getbufvar(buffer, '&modified'), getbufvar(buffer, '&modifiable')]
  setbufvar(buffer, '&modifiable', true)
  var views: dict<dict<any>> = {}
  for window in win_findbuf(buffer)
    win_execute(window, 'w:notesd_view = winsaveview()')
    views[window] = getwinvar(window, 'notesd_view')
  endfor
  for [start, end, text] in reverse(copy(edits))
    for view in note.is_shown ? values(views) : []
      var at = texts.Moved(note.lines, [view.lnum - 1, view.col], start, end, text)
      view.topline = texts.Moved(note.lines, [view.topline - 1, 0], start, end, text)[0] + 1
      [view.lnum, view.col] = [at[0] + 1, at[1]]
    endfor
    ReplaceOne(note, start, end, text)
  endfor
  setbufvar(buffer, '&endofline', note.lines[-1] == '')
  for [window, view] in items(views)
    if !empty(selection) && str2nr(window) == win_getid()
      [view.lnum, view.col] = [selection[1][0] + 1, selection[1][1]]
    endif
    setwinvar(str2nr(window), 'notesd_view', view)
    win_execute(str2nr(window), 'winrestview(w:notesd_view)')
  endfor
  setbufvar(buffer, '&modifiable', modifiable)
  setbufvar(buffer, '&modified', modified)
enddef

def ReplaceOne(note: dict<any>, start: list<number>, end: list<number>, text: string)
  var old: list<string> = note.lines
  var put = split(text, "\n", true)
  put[0] = strpart(old[start[0]], 0, start[1]) .. put[0]
  put[-1] ..= strpart(old[end[0]], end[1])
  note.bytes += strlen(join(put, "\n")) - strlen(join(old[start[0] : end[0]], "\n"))
  var below = len(old) - 1 - end[0]
  note.lines = old[0 : start[0]][: -2] + put + old[end[0] + 1 :]
  if below > 0 && old[-1] == ''
    below -= 1
  endif
  texts.SetLines(note.shown_in, texts.InBuffer(old), texts.InBuffer(note.lines), start[0], below)
enddef
