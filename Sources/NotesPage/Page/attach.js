// The attach protocol (docs/attach.md) over a WebSocket: a connection that comes back by itself.
// Messages of the host are events with the name of their method; `up` and `down` say whether it is there.
export class Connection extends EventTarget {
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #pause = 200;
  #timer = 0;
  up = false;
  // The host's response to the hello.
  info = null;

  constructor(address) {
    super();
    this.address = address;
    addEventListener('online', () => this.retry());
    document.addEventListener('visibilitychange', () => document.hidden || this.retry());
    addEventListener('pageshow', (event) => event.persisted && this.retry());
  }

  connect() {
    const socket = this.#socket = new WebSocket(this.address);
    let wasOpen = false;
    socket.onopen = async () => {
      wasOpen = true;
      try {
        const writer = this.writer ? { writer: this.writer } : {};
        this.info = await this.ask('attach.hello', {
          protocol: [1], client: { name: 'page', version: '1' }, positions: 'utf-16', ...writer,
        });
      } catch {
        return socket.close();
      }
      this.up = true;
      this.#pause = 200;
      this.#say('up');
    };
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (socket !== this.#socket) return;
      const was = this.up;
      this.up = false;
      this.#socket = null;
      for (const { fail } of this.#waiting.values()) fail(offline());
      this.#waiting.clear();
      if (was) this.#say('down');
      if (!wasOpen || event.code === 1008) this.#say('refused');
      this.#timer = setTimeout(() => this.connect(), this.#pause * (0.5 + Math.random()));
      this.#pause = Math.min(this.#pause * 2, 10_000);
    };
  }

  #receive(message) {
    if (message.method) return this.#say(message.method, message.params);
    const request = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (!request) return;
    if (message.error) request.fail(Object.assign(new Error(message.error.message), message.error));
    else request.done(message.result);
  }

  // Connects at once. A socket that slept with the machine can look open: it is asked, for 3 seconds.
  retry() {
    if (!this.#socket) {
      clearTimeout(this.#timer);
      this.#pause = 200;
      this.connect();
    } else if (this.up) {
      const socket = this.#socket;
      const late = setTimeout(() => {
        if (this.#socket !== socket) return;
        socket.onclose({ code: 1006 });
        socket.close();
      }, 3_000);
      this.ask('attach.ping', {}).catch(() => {}).finally(() => clearTimeout(late));
    }
  }

  stop() {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    this.up = false;
    socket?.close();
  }

  #say(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  get #isOpen() { return this.#socket?.readyState === WebSocket.OPEN; }

  ask(method, params) {
    return new Promise((done, fail) => {
      if (!this.#isOpen) return fail(offline());
      const id = ++this.#number;
      this.#waiting.set(id, { done, fail });
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  tell(method, params) {
    if (this.#isOpen) this.#socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }
}

const offline = () => Object.assign(new Error('offline'), { code: 7002 });

// The one edit that turns OLD into NEW. Where several would, the one that ends at the caret.
export function difference(old, now, caret) {
  const shorter = Math.min(old.length, now.length);
  const behind = Math.min(shorter, now.length - caret);
  let tail = 0;
  let head = 0;
  while (tail < behind && old.charCodeAt(old.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)) tail++;
  while (head < shorter - tail && old.charCodeAt(head) === now.charCodeAt(head)) head++;
  while (tail < shorter - head && old.charCodeAt(old.length - 1 - tail) === now.charCodeAt(now.length - 1 - tail)) tail++;
  // No edit divides a character.
  const isHigh = (unit) => unit >= 0xd800 && unit <= 0xdbff;
  const isLow = (unit) => unit >= 0xdc00 && unit <= 0xdfff;
  if (head && isHigh(old.charCodeAt(head - 1))) head--;
  if (head && isHigh(now.charCodeAt(head - 1))) head--;
  if (tail && isLow(old.charCodeAt(old.length - tail))) tail--;
  if (tail && isLow(now.charCodeAt(now.length - tail))) tail--;
  return [head, old.length - tail, now.slice(head, now.length - tail)];
}

// A note that is open: hands what the user types on a surface to the host, and what others type to the surface.
//
// A surface has `value`, `set`, `selection`, `select`, `apply`, `isBusy`, and calls `onchange`, `onready`,
// `onundo` and `onmove`.
export class Note extends EventTarget {
  static #count = 0;
  static number() { return ++Note.#count; }
  #handlers = {};
  // What the host knows: the text, and the number of the newest change.
  #told = '';
  #n = 0;
  #saved = 0;
  // The changes that are not known to be saved, each with its time.
  #times = [];
  #wasBusy = false;
  #typed = { at: 0, to: -1 };
  #moving = 0;
  #draftKey = null;
  #isClosing = false;
  isOpen = false;
  // Whether the surface shows the note's text, not nothing.
  isShown = false;
  version = '';
  savedVersion = '';
  since = null;

  // SUBJECT: `{id}`, `{create}`, a draft, or a text that this device has.
  constructor(connection, surface, kept, subject) {
    super();
    Object.assign(this, { connection, surface, kept, subject });
    this.id = subject.id ?? subject.create?.id;
    this.name = subject.name ?? subject.create?.name ?? null;
    const on = {
      'buffer.edit': (params) => this.#edit(params), 'buffer.saved': (params) => this.#onSaved(params),
      'buffer.fault': () => this.open(), up: () => this.open(), down: () => this.#lost(),
      'attach.daemon': ({ up }) => up && !this.isOpen && this.open(),
    };
    for (const [type, handle] of Object.entries(on)) {
      this.#handlers[type] = ({ detail }) => {
        if (detail?.buffer === undefined || detail.buffer === this.buffer) handle(detail);
      };
      connection.addEventListener(type, this.#handlers[type]);
    }
    surface.onchange = (kind) => this.flush(kind);
    surface.onready = () => {
      this.flush();
      if (this.#wasBusy) this.connection.tell('buffer.ready', { buffer: this.buffer });
      this.#wasBusy = false;
    };
    surface.onundo = (isRedo) => this.undo(isRedo);
    surface.onmove = () => this.#moved();
    if (subject.text !== undefined) {
      Object.assign(this, { version: subject.versions, writer: subject.writer, since: subject.since ?? null, isShown: true });
      this.#draftKey = subject.key ?? null;
      this.#told = subject.since === undefined ? subject.text : '';
      surface.set(subject.text);
    } else if (subject.create) {
      this.isShown = true;
      surface.set(subject.create.text ?? '');
    }
  }

  #say(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  get isUnsaved() { return this.isShown && (!this.isOpen ? this.since !== null : this.#n > this.#saved || this.surface.value !== this.#told); }

  async open() {
    this.isOpen = false;
    if (!this.connection.up || this.#isClosing) return;
    const buffer = this.buffer = Note.number();
    const text = this.surface.value;
    const params = { buffer };
    if (this.version) {
      const age = this.since === null ? 0 : Math.round((Date.now() - this.since) / 1000);
      Object.assign(params, { id: this.id, resume: { versions: this.#versions, writer: this.writer, text, age } });
    } else if (this.subject.create) {
      params.create = { id: this.id, text };
      if (this.name) params.create.name = this.name;
    } else {
      params.id = this.id;
    }
    let result;
    try {
      result = await this.connection.ask('buffer.open', params);
    } catch (error) {
      if (this.buffer === buffer && error.code !== 7002) this.#say('failed', error);
      return;
    }
    if (this.buffer !== buffer) return;
    if (result.parted) return this.#say('parted', result);
    Object.assign(this, { id: result.id, name: result.name, version: result.version, writer: result.writer, isOpen: true });
    this.savedVersion = '';
    this.#n = 0;
    this.#times = [];
    // After a resume, and if an earlier response was lost, the host says when the daemon has the text.
    this.#saved = params.resume || result.draft ? -1 : 0;
    if (result.text === undefined) {
      this.#told = text;
    } else {
      this.#told = result.text;
      if (!this.isShown) this.surface.set(result.text);
      // A note that another device made under this name.
      else if (result.existed) this.surface.set(result.text + (text && !result.text.includes(text) ? text : ''));
    }
    // The next connection is of the same writer, so that its host finds what was written though no response came.
    this.connection.writer = result.writer;
    this.isShown = true;
    if (this.#draftKey && this.#draftKey !== this.#key) this.kept.remove(this.#draftKey);
    this.#say('opened', result);
    this.flush();
    this.#keep();
  }

  // The versions of which the text is made: of the edit that was accepted last, and of the newest saved change.
  get #versions() { return this.savedVersion && this.savedVersion !== this.version ? `${this.version} ${this.savedVersion}` : this.version; }

  get #key() { return `${this.id} ${this.writer ?? 'new'}`; }

  #lost() {
    this.isOpen = false;
    if (this.#n > this.#saved || this.surface.value !== this.#told) this.since ??= Date.now();
    this.#keep();
    this.#say('state');
  }

  // Hands the host what the user typed since the last time.
  flush(kind) {
    if (!this.isShown) return;
    const text = this.surface.value;
    if (!this.isOpen) {
      if (text !== this.#told || this.subject.create || this.since !== null) {
        this.since ??= Date.now();
        this.#keep();
        this.#say('state');
      }
      return;
    }
    if (text === this.#told) return;
    const selection = this.surface.selection();
    const edit = difference(this.#told, text, selection[1]);
    const now = performance.now();
    const joins = kind === 'typing' && now - this.#typed.at < 2_000 && Math.abs(edit[0] - this.#typed.to) <= 1 && !edit[2].includes('\n');
    this.#typed = { at: now, to: edit[0] + edit[2].length };
    this.#told = text;
    this.since ??= Date.now();
    this.#n++;
    this.#times.push({ n: this.#n, at: Date.now() });
    this.connection.tell('buffer.change', { buffer: this.buffer, n: this.#n, edits: [edit], length: text.length, selection, joins });
    this.#keep();
    this.#say('state');
  }

  #keep() {
    if (!this.isUnsaved) {
      this.since = null;
      if (this.version) this.kept.putText(this.id, { name: this.name, text: this.surface.value, versions: this.#versions, writer: this.writer });
      return this.kept.remove(this.#draftKey ?? this.#key);
    }
    this.#draftKey = this.#key;
    const create = this.version ? {} : { create: { id: this.id, name: this.name } };
    this.kept.put(this.#key, {
      id: this.id, name: this.name, versions: this.#versions, writer: this.writer, text: this.surface.value, since: this.since, ...create,
    });
  }

  #onSaved({ n, version }) {
    [this.#saved, this.savedVersion] = [n, version];
    this.#times = this.#times.filter((change) => change.n > n);
    this.since = this.#times[0]?.at ?? null;
    this.#keep();
    this.#say('state');
  }

  #edit({ k, n, edits, length, version, selection }) {
    this.flush();
    const answer = { buffer: this.buffer, k, n: this.#n };
    const isBusy = this.surface.isBusy;
    if (n !== this.#n || isBusy) {
      this.#wasBusy ||= isBusy;
      return this.connection.tell('buffer.decline', { ...answer, busy: isBusy });
    }
    this.surface.apply(edits, performance.now() - this.#typed.at < 1_000);
    if (selection) this.surface.select(...selection);
    this.#told = this.surface.value;
    this.version = version;
    if (this.#told.length !== length) return this.open();
    this.connection.tell('buffer.accept', answer);
    this.#keep();
    this.#say('applied');
  }

  async undo(isRedo) {
    this.flush();
    this.#typed.at = 0;
    if (!this.isOpen) return this.#say('told', 'This can be undone when the connection is back.');
    try {
      const result = await this.connection.ask(isRedo ? 'buffer.redo' : 'buffer.undo', { buffer: this.buffer });
      if (!result.done) this.#say('told', isRedo ? 'There is nothing to redo.' : 'There is nothing to undo.');
      else if (result.bothKept) this.#say('told', 'Somebody changed this, too; both are kept.');
    } catch (error) {
      this.#say('told', error.message);
    }
  }

  #moved() {
    clearTimeout(this.#moving);
    this.#moving = setTimeout(() => {
      if (!this.isOpen || this.surface.value !== this.#told || this.surface.isBusy) return;
      this.connection.tell('buffer.select', { buffer: this.buffer, n: this.#n, selection: this.surface.selection() });
    }, 120);
  }

  async save() {
    this.flush();
    return this.connection.ask('buffer.save', { buffer: this.buffer });
  }

  ask(method, params) { return this.connection.ask(method, { buffer: this.buffer, ...params }); }

  // Ends the note's buffer. What is not saved stays in a draft.
  async close() {
    this.flush();
    this.#isClosing = true;
    clearTimeout(this.#moving);
    const { isOpen, buffer } = this;
    if (isOpen) {
      try {
        const { saved } = await this.connection.ask('buffer.close', { buffer });
        if (saved) this.kept.remove(this.#draftKey ?? this.#key);
      } catch {}
    }
    for (const [type, handle] of Object.entries(this.#handlers)) this.connection.removeEventListener(type, handle);
    this.isOpen = false;
  }
}

// Sends the draft of a page that is gone. Returns whether the daemon has it.
export async function sendDraft(connection, kept, { key, id, name, versions, writer, text, since }) {
  const buffer = Note.number();
  const params = versions
    ? { buffer, id, resume: { versions, writer, text, age: Math.round((Date.now() - (since ?? Date.now())) / 1000) } }
    : { buffer, create: { id, text, ...(name && { name }) } };
  try {
    const result = await connection.ask('buffer.open', params);
    if (result.parted) return false;
    // The name is that of another note by now: the text is put below its own.
    if (result.existed && !result.text.includes(text)) {
      const whole = result.text + text;
      connection.tell('buffer.change', { buffer, n: 1, text: whole, length: whole.length });
    }
    const { saved } = await connection.ask('buffer.close', { buffer });
    if (saved) kept.remove(key);
    return saved;
  } catch {
    return false;
  }
}
