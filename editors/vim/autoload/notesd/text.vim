vim9script
# Texts and places in them, without notes. A text is a list of lines, split at each LF: 'a' with a final
# LF is ['a', '']. Places are [line, column], both from 0, in bytes.

# What a note cannot have becomes another character: U+0000, which is a LF in Vim, a surrogate, and an
# invalid byte. All but the last have the same length then.
export def Clean(line: string): string
  return line !~ '[^\x01-\x7f]' && stridx(line, "\n") < 0 ? line : line->str2list()->map((_, code) =>
    code == 10 ? 63 : (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF ? 0xFFFD : code)->list2str()
enddef

# Lengths of the common start and end of two texts, in whole characters. If it can be, a character
# that was inserted among equal ones is the one before the caret.
export def Narrow(before: string, after: string, caret: number): list<number>
  var grown = strlen(after) - strlen(before)
  var start = Common(before, after, (text, length) => strpart(text, 0, length))
  if grown > 0 && caret >= grown && caret - grown < start
      && strpart(before, caret - grown) ==# strpart(after, caret)
    start = caret - grown
  endif
  while start > 0 && (IsAmid(before, start) || IsAmid(after, start))
    start -= 1
  endwhile
  var [left, right] = [strpart(before, start), strpart(after, start)]
  var end = Common(left, right, (text, length) => strpart(text, strlen(text) - length))
  while end > 0 && (IsAmid(left, strlen(left) - end) || IsAmid(right, strlen(right) - end))
    end -= 1
  endwhile
  return [start, end]
enddef

def Common(left: string, right: string, Part: func(string, number): string): number
  var low = 0
  var high = min([strlen(left), strlen(right)])
  while low < high
    var middle = (low + high + 1) / 2
    if Part(left, middle) ==# Part(right, middle)
      low = middle
    else
      high = middle - 1
    endif
  endwhile
  return low
enddef

def IsAmid(text: string, at: number): bool
  return at < strlen(text) && and(char2nr(strpart(text, at, 1)), 0xC0) == 0x80
enddef

export def Place(text: string, line: number, offset: number): list<number>
  var lines = strpart(text, 0, offset)->split("\n", true)
  return [line + len(lines) - 1, strlen(lines[-1])]
enddef

# Where a place is after an edit.
export def Moved(lines: list<string>, at: list<number>, start: list<number>, end: list<number>, text: string): list<number>
  var put = split(text, "\n", true)
  if at[0] < start[0] || (at[0] == start[0] && at[1] < start[1])
    return at
  elseif at[0] < end[0] || (at[0] == end[0] && at[1] < end[1])
    return start
  elseif at == start && start == end && !(at[1] == 0 && text =~ "\n$")
      && (mode() ==# 'i' || at[1] == strlen(get(lines, at[0], '')))
    return at                                  # behind the character before it
  elseif at[0] > end[0]
    return [at[0] + start[0] - end[0] + len(put) - 1, at[1]]
  endif
  return [start[0] + len(put) - 1, at[1] - end[1] + strlen(put[-1]) + (len(put) == 1 ? start[1] : 0)]
enddef

# The lines that a buffer shows for a text.
export def InBuffer(lines: list<string>): list<string>
  return len(lines) > 1 && lines[-1] == '' ? lines[: -2] : lines
enddef

# Changes the lines that differ, so that marks and folds of the others stay.
export def SetLines(buffer: number, old: list<string>, new: list<string>, above: number, below: number)
  var least = min([len(old), len(new)])
  var head = min([above, least])
  while head < least && old[head] ==# new[head]
    head += 1
  endwhile
  var tail = min([below, least - head])
  while tail < least - head && old[-1 - tail] ==# new[-1 - tail]
    tail += 1
  endwhile
  var both = least - tail
  if both > head
    setbufline(buffer, head + 1, new[head : both - 1])
  endif
  if len(new) > len(old)
    appendbufline(buffer, both, new[both : len(new) - tail - 1])
  elseif len(new) < len(old)
    deletebufline(buffer, both + 1, len(old) - tail)
  endif
enddef

# A UUID of version 7.
export def NewId(): string
  var random = srand()
  var digits = printf('%012x7', str2nr(printf('%.0f', reltimefloat(reltime()) * 1000)))
  while strlen(digits) < 32
    digits ..= printf('%x', strlen(digits) == 16 ? 8 + rand(random) % 4 : rand(random) % 16)
  endwhile
  return digits->substitute('\(.\{8}\)\(.\{4}\)\(.\{4}\)\(.\{4}\)', '\1-\2-\3-\4-', '')
enddef
