vim9script

import autoload 'notesd/apply.vim'
import autoload 'notesd/host.vim'
import autoload 'notesd/show.vim'
import autoload 'notesd/text.vim' as texts

# Shows notes of notesd as buffers `notesd://NAME`. The program `notesctl attach` merges and sends;
# docs/attach.md describes its protocol.
#
# A text is a list of lines, split at each LF: 'a' with a final LF is ['a', '']. Vim shows the last
# empty line as the option 'endofline'. Places are [line, column], both from 0, in bytes.

# The notes that are open, by the number of the buffer in the protocol.
var notes: dict<dict<any>> = {}
var numbers = 0
# The writer that the first host drew.
var writer = ''
var pause_ms = 100
# Whether Insert mode began in Visual mode: Vim copies the inserted text to other lines at its end.
var is_block = false
# The name of the note that `:Note!` creates.
var to_create = ''
# More lines than a buffer has.
const FAR = 1 << 30

# The host

def Start()
  if !host.IsUp()
    host.Start(writer, Receive, Ended)
  endif
enddef

def Ended()
  for note in values(notes)
    note.is_open = false
  endfor
  timer_start(pause_ms, (_) => Restart())
  pause_ms = min([pause_ms * 2, 5000])
enddef

def Restart()
  if !host.IsUp() && !empty(notes)
    Start()
    for note in values(notes)->filter((_, each) => each.is_wanted)
      Open(note)
    endfor
  endif
enddef

def Receive(method: string, params: dict<any>)
  if method == 'attach.daemon'
    for note in values(notes)
      if params.up && note.is_away
        Open(note)
      endif
    endfor
  endif
  var note: dict<any> = get(notes, get(params, 'buffer', 0), {})
  if empty(note)
    return
  elseif method == 'buffer.edit'
    Take(note, params)
  elseif method == 'buffer.saved'
    note.saved = params.version
    note.faults = 0
    Flush(note)
    if params.n == note.n
      note.since = 0
      setbufvar(note.shown_in, '&modified', false)
    endif
  elseif method == 'buffer.people'
    note.people = params.people
    show.People(note)
  elseif method == 'buffer.state'
    show.State(note, params)
  elseif method == 'buffer.notice'
    show.Say($'{note.name}: {params.text}', false)
  elseif method == 'buffer.fault'
    note.is_open = false
    note.faults += 1
    if note.faults > 3
      note.is_wanted = false
      show.Say($'{note.name}: {params.reason}; this text is not sent any more. Copy it, and use :edit!', true)
    else
      Open(note)
    endif
  endif
enddef

# Waits until something is true; others' text does not come meanwhile.
def Wait(IsSo: func(): bool, seconds: number): bool
  var since = reltime()
  while !IsSo() && reltime(since)->reltimefloat() < seconds
    sleep 5m
  endwhile
  return IsSo()
enddef

# Opening and closing

export def Note(name: string, creates: bool)
  to_create = creates ? name : ''
  try
    execute 'edit' fnameescape('notesd://' .. name)
  finally
    to_create = ''
  endtry
enddef

export def Names(start: string, _: string, _: number): list<string>
  var names: list<string> = []
  var is_done = false
  Start()
  host.Send('note.list', {filter: {prefix: start}, limit: 1000}, (answer) => {
    names = get(answer, 'result', {notes: []}).notes->mapnew((_, note) => note.name)
      ->filter((_, name) => type(name) == v:t_string)
    is_done = true
  })
  Wait(() => is_done || !host.IsUp(), 5)
  return names
enddef

export def Read(buffer: number, uri: string)
  Close(buffer)
  if &encoding != 'utf-8'
    show.Say("notesd needs 'encoding' utf-8", true)
    return
  endif
  var name = uri[9 :]
  var id: string = getbufvar(buffer, 'notesd_id', '')
  numbers += 1
  var note: dict<any> = {number: numbers, shown_in: buffer, name: name, lines: [''], bytes: 0, n: 0,
    subject: to_create ==# name ? {create: {id: texts.NewId(), name: name, text: ''}} :
      empty(id) ? {name: name} : {id: id},
    writer: '', shown: '', saved: '', since: 0, faults: 0, people: [], deleted: false, conflicts: 0,
    is_open: false, is_wanted: true, is_away: false, is_busy: false, is_step: false, is_shown: false,
    is_changed: false, above: FAR, below: FAR}
  notes[numbers] = note
  setlocal buftype=acwrite noswapfile undolevels=-1 nofixendofline nomodifiable
  nnoremap <buffer> u <Cmd>call notesd#Undo('undo', v:count1)<CR>
  nnoremap <buffer> <C-R> <Cmd>call notesd#Undo('redo', v:count1)<CR>
  nnoremap <buffer> g- <Cmd>call notesd#Undo('undo', v:count1)<CR>
  nnoremap <buffer> g+ <Cmd>call notesd#Undo('redo', v:count1)<CR>
  nnoremap <buffer> U <Nop>
  for [typed, meant] in [['u', 'NoteUndo'], ['undo', 'NoteUndo'], ['red', 'NoteRedo'], ['redo', 'NoteRedo']]
    execute $"cnoreabbrev <buffer> <expr> {typed} getcmdtype() .. getcmdline() ==# ':{typed}' ? '{meant}' : '{typed}'"
  endfor
  note.listener = listener_add(Changed, buffer)
  Start()
  Open(note)
  if !Wait(() => note.is_open || !note.is_wanted || note.is_away || !host.IsUp(), 5)
    show.Say($'{name}: waiting for the daemon', false)
  endif
enddef

def Open(note: dict<any>)
  note.is_away = false
  note.n = 0
  var params = {buffer: note.number}->extend(note.subject)
  if note.is_shown
    CleanBuffer(note)
    note.lines = Shown(note)
    note.bytes = strlen(join(note.lines, "\n"))
    params.resume = {versions: trim($'{note.shown} {note.saved}'), writer: note.writer,
      text: join(note.lines, "\n"), age: note.since == 0 ? 0 : localtime() - note.since}
  endif
  host.Send('buffer.open', params, (answer) => Opened(note, answer))
enddef

def Opened(note: dict<any>, answer: dict<any>)
  if !has_key(notes, note.number)
    return
  elseif has_key(answer, 'error')
    note.is_away = answer.error.code == 7002
    note.is_wanted = note.is_away
    if answer.error.code == 2001 && !note.is_shown
      show.Say($'No note has the name {note.name}; :Note! {note.name} creates it', true)
    elseif !note.is_away || !note.is_shown
      show.Say($'{note.name}: {answer.error.message}', !note.is_away)
    endif
    return
  endif
  var result: dict<any> = answer.result
  if has_key(result, 'parted')
    note.is_wanted = false
    var other = bufadd('')
    bufload(other)
    setbufvar(other, '&buftype', 'nofile')
    setbufline(other, 1, split(result.parted.text, "\n", true))
    show.Say($'{note.name}: the daemon has another text; :sbuffer {other} shows it. '
      .. 'Copy what it lacks; :edit! shows it in the note', true)
    return
  endif
  note.subject = {id: result.id}
  note.writer = result.writer
  writer = result.writer
  note.shown = result.version
  pause_ms = 100
  note.is_open = true
  setbufvar(note.shown_in, 'notesd_id', result.id)
  if !note.is_shown
    setbufvar(note.shown_in, '&modifiable', true)
    setbufvar(note.shown_in, '&fileformat', result.lineEnds == 'crlf' ? 'dos' : 'unix')
    apply.Replace(note, [[[0, 0], [0, 0], result.text]])
    note.is_shown = true
    setbufvar(note.shown_in, '&modified', false)
  endif
  show.State(note, result)
  Differ(note, 0, 0)                           # typed since the request
enddef

export def Close(buffer: number)
  for note in values(notes)->filter((_, each) => each.shown_in == buffer)
    Flush(note)
    listener_remove(note.listener)
    remove(notes, note.number)
    if host.IsUp()
      host.Send('buffer.close', {buffer: note.number}, (answer) => {
        if get(get(answer, 'result', {}), 'draft', false)
          show.Say($'{note.name}: the daemon did not take all of it; a draft has it, for notesctl edit', true)
        endif
      })
    endif
  endfor
enddef

export def End()
  Compare()
  notes = {}
  host.End()
enddef

# What the user types

def Of(buffer: number): dict<any>
  for note in values(notes)
    if note.shown_in == buffer
      return note
    endif
  endfor
  return {}
enddef

# The text in the buffer. A buffer with one empty line is the empty text, or one LF if that was there.
def Shown(note: dict<any>): list<string>
  var lines = getbufline(note.shown_in, 1, '$')
  var ends = getbufvar(note.shown_in, '&endofline')
  return ends && (lines != [''] || note.lines == ['', '']) ? lines->add('') : lines
enddef

# Called by Vim with changes in their order, once or several times in a command. Keeps how many lines
# above and below are the same as before, and compares when Vim waits for the user.
def Changed(buffer: number, _: number, _: number, _: number, changes: list<dict<any>>)
  var note = Of(buffer)
  if empty(note) || !note.is_shown
    return
  endif
  var count = getbufinfo(buffer)[0].linecount
  for change in reverse(copy(changes))
    note.above = min([note.above, change.lnum - 1])
    note.below = max([0, min([note.below, count - (change.end + change.added) + 1])])
    count -= change.added
  endfor
  if !note.is_changed
    note.is_changed = true
    timer_start(0, (_) => Flush(note))
  endif
enddef

def Flush(note: dict<any>)
  listener_flush(note.shown_in)
  if note.is_changed
    Differ(note, note.above, note.below)
    [note.is_changed, note.above, note.below] = [false, FAR, FAR]
  endif
enddef

export def Compare()
  for note in values(notes)->filter((_, each) => each.is_shown)
    Differ(note, 0, 0)
  endfor
enddef

# Sends the difference between the text that the host knows and the text in the buffer. So many
# lines above and below are known to be equal.
def Differ(note: dict<any>, above: number, below: number)
  if !bufloaded(note.shown_in)
    return
  endif
  var old: list<string> = note.lines
  var new = Shown(note)
  var least = min([len(old), len(new)])
  var head = min([above, least])
  while head < least && old[head] ==# new[head]
    head += 1
  endwhile
  if head == len(old) && head == len(new)
    return
  endif
  var tail = min([below, least - head])
  while tail < least - head && old[-1 - tail] ==# new[-1 - tail]
    tail += 1
  endwhile
  # A whole line comes with the end of the line before it, or with its own.
  if head == len(old) - tail || head == len(new) - tail
    if head > 0
      head -= 1
    else
      tail -= 1
    endif
  endif
  note.since = note.since ?? localtime()
  if !note.is_open
    return
  endif
  for line in range(head, len(new) - tail - 1)
    var clean = texts.Clean(new[line])
    if clean !=# new[line]
      new[line] = clean
      timer_start(0, (_) => CleanBuffer(note))
    endif
  endfor
  var before = join(old[head : len(old) - tail - 1], "\n")
  var after = join(new[head : len(new) - tail - 1], "\n")
  if before ==# after
    return
  endif
  var [start, end] = texts.Narrow(before, after, CaretIn(note, head))
  var put = strpart(after, start, strlen(after) - end - start)
  note.bytes += strlen(after) - strlen(before)
  note.lines = new
  note.n += 1
  host.Send('buffer.change', {buffer: note.number, n: note.n, length: note.bytes, joins: note.is_step,
    edits: [[texts.Place(before, head, start), texts.Place(before, head, strlen(before) - end), put]]})
  note.is_step = mode() ==# 'i'
enddef

# Offset of the caret in the lines from `head` on; -1 if it is elsewhere.
def CaretIn(note: dict<any>, head: number): number
  return bufnr() == note.shown_in && line('.') == head + 1 ? col('.') - 1 : -1
enddef

export def EndStep()
  var note = Of(bufnr())
  if !empty(note)
    Flush(note)
    note.is_step = false
  endif
enddef

export def Select()
  var note = Of(bufnr())
  if !empty(note) && note.is_open
    Flush(note)
    var at = [line('.') - 1, col('.') - 1]
    host.Send('buffer.select', {buffer: note.number, n: note.n, selection: [at, at]})
  endif
enddef

# What others type

# Whether Vim remembers places for what the user began: a command, an operator, a selection, a menu.
def IsBusy(states: string): bool
  return is_block || index(['n', 'i', 't', 'nt'], mode(1)) < 0 || !empty(state(states))
    || pumvisible() || !empty(getcmdwintype())
enddef

export def ModeChanged(old: string, new: string)
  is_block = new =~ '^i' && (is_block || old =~ "^[vV\<C-V>sS\<C-S>]")
enddef

# Called when Vim waits for the user, and nothing is half typed.
export def Ready()
  for note in values(notes)
    if note.is_busy && !IsBusy('maw')
      Flush(note)
      note.is_busy = false
      host.Send('buffer.ready', {buffer: note.number})
    endif
  endfor
enddef

def Take(note: dict<any>, params: dict<any>)
  if !note.is_open
    return
  endif
  Flush(note)
  var answer: dict<any> = {buffer: note.number, k: params.k, n: note.n}
  if IsBusy('maxw')
    note.is_busy = true
    host.Send('buffer.decline', answer->extend({busy: true}))
    return
  elseif params.n != note.n
    host.Send('buffer.decline', answer)
    return
  endif
  apply.Replace(note, get(params, 'edits', []), get(params, 'selection', null_list) ?? [])
  note.shown = params.version
  host.Send('buffer.accept', answer)
enddef

# Changes what a note cannot have in the buffer, too.
def CleanBuffer(note: dict<any>)
  for [index, line] in items(getbufline(note.shown_in, 1, '$'))
    if texts.Clean(line) !=# line
      setbufline(note.shown_in, index + 1, texts.Clean(line))
    endif
  endfor
enddef

# Undo, saving, people

export def Undo(what: string, count: number)
  UndoIn(Of(bufnr()), what, count)
enddef

def UndoIn(note: dict<any>, what: string, count: number)
  if empty(note) || !note.is_open
    show.Say('Undo needs a note that is open', true)
    return
  endif
  Flush(note)
  note.is_step = false
  host.Send($'buffer.{what}', {buffer: note.number}, (answer) => {
    if has_key(answer, 'error')
      show.Say(answer.error.message, true)
    elseif !answer.result.done
      show.Say($'Nothing of yours to {what}', false)
    elseif get(answer.result, 'bothKept', false)
      show.Say('Somebody else changed the same lines; both texts are kept', false)
    elseif count > 1
      UndoIn(note, what, count - 1)
    endif
  })
enddef

export def Write(buffer: number, uri: string)
  var note = Of(buffer)
  if empty(note) || uri !=# bufname(buffer)
    show.Say('A note is written under its own name; :Note! creates another', true)
    return
  endif
  Flush(note)
  var outcome = note.is_open ? '' : 'the host is starting'
  if note.is_open
    host.Send('buffer.save', {buffer: note.number}, (answer) => {
      outcome = has_key(answer, 'error') ? answer.error.message : 'on disk'
    })
    Wait(() => !empty(outcome) || !host.IsUp(), 10)
  endif
  if outcome == 'on disk'
    setbufvar(buffer, '&modified', false)
    show.Say($'"{note.name}" {note.bytes}B, on disk', false)
  else
    show.Say($'"{note.name}" is not on disk yet: {empty(outcome) ? "no answer" : outcome}', true)
  endif
enddef

export def People()
  var note = Of(bufnr())
  for person in get(note, 'people', [])
    echo $'{person.user} ({person.label})' .. (type(person.at) == v:t_none ? '' : $', line {person.at[0] + 1}')
  endfor
  if empty(get(note, 'people', []))
    echo 'Nobody else has this note open'
  endif
enddef
