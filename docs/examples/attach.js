// attach.js NAME: appends each line of its input to the note NAME, and prints the note when it changes.
const { spawn } = require("child_process")
const readline = require("readline")

let subject = { name: process.argv[2] }
let writer, host, text, told, n, isOpen, isAway, since
let shown = "", saved = "", isEnding = false

// One code unit of a JavaScript string is one of UTF-16.
const apply = (edits) => {
  for (const [start, end, put] of [...edits].reverse()) text = text.slice(0, start) + put + text.slice(end)
}

function send(method, params, id) {
  host.stdin.write(JSON.stringify({ jsonrpc: "2.0", method, params, ...(id && { id }) }) + "\n")
}

function start() {
  isOpen = isAway = false
  host = spawn("notesctl", ["attach", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] })
  host.stdin.on("error", () => {})                  // the host ended; its output ends, too
  readline.createInterface({ input: host.stdout }).on("line", (line) => receive(JSON.parse(line)))
  host.on("close", () => (isEnding ? process.exit(0) : setTimeout(start, 100)))
  send("attach.hello", { protocol: [1], client: { name: "attach.js", version: "1" }, label: "attach.js",
                         positions: "utf-16", ...(writer && { writer }) }, 1)
  open()
  if (isEnding) host.stdin.end()
}

function open() {
  n = 0
  told = writer && text
  const age = since ? Math.floor((Date.now() - since) / 1000) : 0
  const resume = writer && { versions: `${shown} ${saved}`.trim(), writer, text, age }
  send("buffer.open", { buffer: 1, ...subject, ...(resume && { resume }) }, 2)
}

function change(edits) {
  apply(edits)
  since ??= Date.now()
  if (isOpen) send("buffer.change", { buffer: 1, n: ++n, edits, length: text.length })
}

function receive({ id, result, error, method, params }) {
  if (id === 2 && error) {
    isAway = error.code === 7002
    if (isAway) return                              // attach.daemon will say when it is there
    console.error(error.message)
    process.exit(1)
  } else if (id === 2) {
    ;[subject, writer, isOpen, shown] = [{ id: result.id }, result.writer, true, result.version]
    if (told === undefined) {
      text = result.text + (text ?? "")
      process.stdout.write(result.text)
      told = result.text
    }
    if (text !== told) send("buffer.change", { buffer: 1, n: ++n, text, length: text.length })
  } else if (method === "buffer.edit") {
    const answer = { buffer: 1, k: params.k, n }
    if (params.n !== n) return send("buffer.decline", answer)   // the user typed meanwhile
    apply(params.edits)
    shown = params.version
    send("buffer.accept", answer)
    process.stdout.write(text)
  } else if (method === "buffer.saved") {
    saved = params.version
    if (params.n === n) since = undefined
  } else if (method === "attach.daemon" && params.up && isAway) {
    isAway = false
    open()
  } else if (method === "buffer.fault") {
    host.kill()                                     // and start it again, with resume
  }
}

start()
readline.createInterface({ input: process.stdin })
  .on("line", (line) => {
    text ??= ""
    change([[text.length, text.length, line + "\n"]])
  })
  .on("close", () => {
    isEnding = true
    host.stdin.end()
  })
