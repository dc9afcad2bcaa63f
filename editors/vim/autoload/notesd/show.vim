vim9script
# What the user gets to know besides the text.

export def Say(text: string, is_error: bool)
  execute 'echohl' is_error ? 'ErrorMsg' : 'None'
  echomsg text
  echohl None
enddef

# Highlights where others are.
export def People(note: dict<any>)
  if empty(prop_type_get('notesdPerson'))
    highlight default link notesdPerson Search
    prop_type_add('notesdPerson', {highlight: 'notesdPerson'})
  endif
  prop_remove({type: 'notesdPerson', bufnr: note.shown_in, all: true})
  for person in note.people
    if type(person.at) != v:t_none
      var [line, column] = person.at
      var text = get(getbufline(note.shown_in, line + 1), 0, '')
      if column < strlen(text)
        prop_add(line + 1, column + 1, {type: 'notesdPerson', bufnr: note.shown_in,
          length: strlen(matchstr(strpart(text, column), '^.'))})
      endif
    endif
  endfor
enddef

# Reports what the note is besides its text, if it changed.
export def State(note: dict<any>, state: dict<any>)
  var conflicts = len(state.conflicts)
  var deleted = type(state.deleted) != v:t_none
  if deleted && !note.deleted
    Say($'{note.name}: {state.deleted.by} deleted this note; typing restores it', false)
  endif
  if conflicts != note.conflicts
    Say($'{note.name}: {conflicts} conflicts', false)
  endif
  if type(state.name) != v:t_none && state.name != note.name
    Say($'{note.name}: the note is now named {state.name}', false)
    note.name = state.name
  endif
  [note.deleted, note.conflicts] = [deleted, conflicts]
enddef
