vim9script
# The program `notesctl attach`, and its messages: one line of JSON-RPC each.

# What to do with the responses, by the id of the request.
var waiting: dict<func> = {}
var requests = 0
var host: job
# Counts the hosts, so that lines of an earlier one have no effect.
var hosts = 0
var is_up = false

export def IsUp(): bool
  return is_up
enddef

# Starts the program. Without `writer`, the empty string, it draws one.
export def Start(writer: string, OnMessage: func, OnEnd: func)
  hosts += 1
  var number = hosts
  waiting = {}
  host = job_start(get(g:, 'notesd_command', ['notesctl', 'attach', '--stdio']), {
    mode: 'nl', noblock: true, stoponexit: '', err_io: 'null',
    out_cb: (_, line) => Receive(number, line, OnMessage), close_cb: (_) => Ended(number, OnEnd)})
  is_up = job_status(host) == 'run'
  if is_up
    var params: dict<any> = {protocol: [1], client: {name: 'notesd.vim', version: '1'},
      label: hostname() .. '/vim', positions: 'utf-8 lines'}
    Send('attach.hello', empty(writer) ? params : params->extend({writer: writer}), Greeted)
  else
    echoerr 'notesctl does not start; install it, or set g:notesd_command'
  endif
enddef

def Greeted(answer: dict<any>)
  if has_key(answer, 'error')
    echomsg answer.error.message
  endif
enddef

# Ends the input of the program, which then saves everything and ends.
export def End()
  if is_up
    ch_close_in(host)
  endif
enddef

def Ended(number: number, OnEnd: func)
  if number == hosts
    is_up = false
    waiting = {}
    OnEnd()
  endif
enddef

# Sends a notification, or a request if there is something to do with the response.
export def Send(method: string, params: dict<any>, Then: func = null_function)
  var message: dict<any> = {jsonrpc: '2.0', method: method, params: params}
  if Then != null_function
    requests += 1
    message.id = requests
    waiting[requests] = Then
  endif
  try
    ch_sendraw(host, json_encode(message) .. "\n")
  catch /^Vim\%((\a\+)\)\=:E\(630\|631\|906\)/ # The program ended; `Ended` follows.
  endtry
enddef

def Receive(number: number, line: string, OnMessage: func)
  if number != hosts
    return
  endif
  var message: dict<any> = json_decode(line)
  if has_key(message, 'method')
    OnMessage(message.method, message.params)
  elseif has_key(waiting, message.id)
    remove(waiting, message.id)(message)
  endif
enddef
