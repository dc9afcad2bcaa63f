// The view of one note.
import { ask, element, identifier, person } from './elements.js';
import { Note } from './attach.js';
import { contentsOf, fileView } from './file.js';
import { Reader } from './reader.js';
import { Side } from './side.js';
import { surfaceIn } from './surface.js';
import { upload } from './upload.js';

export class NoteView {
  #note = null;
  #surface = null;
  #people = [];
  #marks = [];
  #words = '';
  #wordsEnd = 0;
  #showing = 0;
  #locks = new Map();
  deleted = null;
  isFile = false;

  constructor(connection, kept, parts, session) {
    Object.assign(this, { connection, kept, parts, session });
    this.side = new Side(parts.side, { conflicts: parts.conflicts, history: parts.history, more: parts.more });
    const toggle = (what, show) => () => this.side.what === what ? this.side.hide() : show();
    parts.history.onclick = toggle('history', () => this.side.history(this));
    parts.more.onclick = toggle('more', () => this.side.more(this));
    parts.conflicts.onclick = toggle('conflicts', () => this.#showConflicts());
    parts.undo.onclick = () => this.#note?.undo(false);
    parts.redo.onclick = () => this.#note?.undo(true);
    parts.read.onclick = () => this.setReading(!this.isReading);
    parts.above.onclick = () => this.#surface?.showMore(true);
    parts.below.onclick = () => this.#surface?.showMore(false);
    parts.pick.onchange = () => {
      this.add([...parts.pick.files]);
      parts.pick.value = '';
    };
    // Files that are pasted or dropped; texts are for the surface.
    const take = (event, { files } = {}) => {
      if (!files?.length) return;
      event.preventDefault();
      event.stopPropagation();
      this.add([...files]);
    };
    parts.main.addEventListener('paste', (event) => take(event, event.clipboardData), true);
    parts.main.addEventListener('drop', (event) => take(event, event.dataTransfer), true);
    this.reader = new Reader(parts.reader, () => this.text, (targets) => this.#find(targets));
    const on = (type, handle) => connection.addEventListener(type, ({ detail }) => this.#note && detail?.buffer === this.#note.buffer && handle(detail));
    on('buffer.people', ({ people }) => this.#meet(people));
    on('buffer.notice', ({ text }) => this.tell(text));
    on('buffer.state', (state) => this.#stateChanged(state));
    connection.addEventListener('attach.note', ({ detail: { note } }) => note?.file && this.reader.changed(note));
    for (const type of ['up', 'down', 'attach.daemon']) connection.addEventListener(type, () => this.#state());
  }

  get id() { return this.#note?.id ?? null; }
  get text() { return this.#surface?.value ?? ''; }
  get isReadOnly() { return this.session.readOnly || this.connection.info?.access === 'read'; }
  get isUnsaved() { return this.#note?.isUnsaved ?? false; }

  get surface() { return this.#surface; }
  get line() { return this.#surface?.line ?? 1; }
  get isReading() { return this.reader.isOn; }

  // Shows the note to read or to write, with the same line at the top.
  async setReading(isReading) {
    if (!this.#note || this.isFile || isReading === this.isReading) return;
    const from = isReading ? this.#surface : this.reader;
    const { line } = from;
    this.#switch(isReading);
    if (isReading) await this.reader.render();
    if (isReading === this.isReading) (isReading ? this.reader : this.#surface).goTo(line);
  }

  #switch(isReading) {
    const { parts } = this;
    parts.reader.hidden = !isReading;
    parts.main.classList.toggle('reading', isReading);
    parts.read.textContent = isReading ? 'Write' : 'Read';
  }

  // Shows a file in place of its text, which is a line with its hash.
  #shape() {
    const contents = contentsOf(this.text);
    this.isFile = contents.length > 0;
    this.parts.main.classList.toggle('file', this.isFile);
    if (this.isFile) this.#surface.isReadOnly = true;
    this.parts.file.replaceChildren(...(this.isFile ? fileView(this.#note, contents, this.text) : []));
  }

  // The notes of links; null if nobody answers.
  async #find(targets) {
    if (this.session.note !== null) return this.session.pictures ? this.#pictures(targets) : null;
    try {
      return (await this.ask('links.resolve', { targets, from: this.id, kind: 'any' })).found;
    } catch {
      return null;
    }
  }

  // The pictures of a guest's note. The page gets them by this note, and knows no other.
  async #pictures(targets) {
    const { pictures } = await fetch('pictures').then((response) => response.json()).catch(() => ({ pictures: [] }));
    return targets.map(({ kind, target }) => {
      const file = pictures.find((one) => one.kind === kind && one.target === target);
      return { notes: file ? [{ id: this.session.note, name: file.name, file, isPictureOnly: true }] : [] };
    });
  }

  // Shows how much of the note is above and below what is shown.
  #parted(above, below) {
    for (const [button, length, where] of [[this.parts.above, above, 'above'], [this.parts.below, below, 'below']]) {
      button.hidden = !length;
      button.textContent = `Show more: ${Math.ceil(length / 1000)} kB ${where}`;
    }
  }

  // Shows a note: `{id}`, `{create: {id, name}}`, a draft, or a text that this device has.
  async show(subject) {
    await this.close();
    const { parts } = this;
    parts.main.hidden = false;
    this.side.hide();
    this.#surface = surfaceIn(parts.main.querySelector('#text'));
    const surface = this.#surface;
    surface.onpart = (above, below) => this.#parted(above, below);
    this.#parted(0, 0);
    this.reader.clear();
    if (subject.create) this.#switch(false);
    const note = this.#note = new Note(this.connection, surface, this.kept, subject);
    this.#title(subject.name ?? subject.create?.name ?? subject.title ?? '');
    const on = (type, handle) => note.addEventListener(type, ({ detail }) => note === this.#note && handle(detail));
    on('opened', (result) => {
      this.#hold(result.writer);
      this.#shape();
      this.#title(result.name);
      this.#stateChanged(result);
      if (result.existed) this.tell('There was a note of this name; this is it.');
      this.#state();
      this.reader.soon();
    });
    on('state', () => { this.#state(); this.reader.soon(); });
    on('applied', () => { this.#shape(); this.#paint(); this.reader.soon(); });
    on('told', (text) => this.tell(text));
    on('failed', (error) => this.tell(error.message, true));
    on('parted', () => this.tell('The daemon does not know the version of this text. It stays on this device, and nothing is sent. Copy what you need.', true));
    surface.isReadOnly = this.isReadOnly;
    parts.undo.hidden = parts.redo.hidden = this.isReadOnly || this.session.note !== null;
    this.#shape();
    this.#state();
    await note.open();
    surface.isReadOnly = this.isReadOnly || this.isFile;
  }

  async close() {
    const note = this.#note;
    this.#note = null;
    this.#people = this.#marks = [];
    this.deleted = null;
    this.parts.people.replaceChildren();
    this.parts.conflicts.hidden = true;
    await note?.close();
  }

  flush() { this.#note?.flush(); }

  focus() { this.#surface?.focus(); }

  // Another page of this browser does not take up the drafts of a writer whose page is there.
  #hold(writer) {
    if (!navigator.locks || this.#locks.has(writer)) return;
    navigator.locks.request(`writer ${writer}`, () => new Promise((done) => this.#locks.set(writer, done)));
  }

  #title(name) {
    const title = name || 'No name';
    this.parts.name.textContent = title;
    document.title = `${title} – Notes`;
  }

  // MARK: What is known of the note

  #stateChanged({ name, deleted, conflicts }) {
    this.#title(name ?? (deleted ? this.#note?.name : null));
    if (this.isFile && this.#note && name !== this.#note.name) {
      this.#note.name = name;
      this.#shape();
    }
    const was = this.deleted;
    this.deleted = deleted;
    if (deleted && !was) this.tell('This note is deleted. Typing brings it back.', true);
    if (was && !deleted) this.tell('This note is back.');
    this.#marks = conflicts ?? [];
    const { length } = this.#marks;
    this.parts.conflicts.hidden = !length;
    this.parts.conflicts.textContent = length === 1 ? '1 conflict' : `${length} conflicts`;
    if (this.side.what === 'conflicts') length ? this.#showConflicts() : this.side.hide();
    this.#paint();
  }

  #meet(people) {
    this.#people = people;
    this.parts.people.replaceChildren(...people.map((other) => {
      const go = () => {
        if (!other.at && other.at !== 0) return;
        this.#switch(false);
        this.focus();
        this.#surface.select(other.at, other.at);
      };
      return element('li', {}, element('button', { type: 'button', title: 'Go there', textContent: person(other), onclick: go }));
    }));
    this.#paint();
  }

  // Marks others' places and the conflicts, without a change of the text. The marks move with it.
  #paint() {
    if (!globalThis.CSS?.highlights || !this.#surface?.range(0, 0)) return;
    const mark = (name, places) => CSS.highlights.set(name, new Highlight(...places.map(([start, end]) => this.#surface.range(start, end))));
    const spans = this.#people.filter(({ at }) => at !== null).map(({ at, selection }) => {
      const [anchor, head] = selection ?? [at, at + 1];
      return [Math.min(anchor, head), Math.max(anchor, head)];
    });
    mark('other', spans);
    mark('conflict', this.#marks.filter(({ range }) => range).map(({ range }) => range));
  }

  // A word for the user, for 8 seconds or until the next.
  tell(words, stays = false) {
    this.#words = words;
    clearTimeout(this.#wordsEnd);
    if (!stays) this.#wordsEnd = setTimeout(() => { this.#words = ''; this.#state(); }, 8_000);
    this.#state();
  }

  #state() {
    const note = this.#note;
    if (!note) return;
    document.body.classList.toggle('typed', note.isUnsaved);
    const words = this.#words || this.#saying(note);
    clearTimeout(this.#showing);
    // A short wait is not worth a word.
    this.#showing = setTimeout(() => { this.parts.state.textContent = words; }, words === 'Sending…' ? 400 : 0);
  }

  #saying(note) {
    if (this.kept.isFull) return 'This device has no room to keep what is not sent.';
    if (!note.isOpen) return !note.isShown ? (this.connection.up ? 'Opening…' : 'Offline: this note is not on this device.') : note.isUnsaved ? 'Kept on this device, not sent yet' : 'Offline. Nothing waits to be sent.';
    if (this.isReadOnly) return 'You may read this note.';
    return note.isUnsaved ? 'Sending…' : 'Saved';
  }

  // MARK: What the user does

  ask(method, params) { return this.connection.ask(method, params); }

  async #try(request) {
    try {
      return await request();
    } catch (error) {
      this.tell(error.code === 7002 ? 'Offline: try again when the connection is back.' : error.message);
      return null;
    }
  }

  async #showConflicts() {
    const result = await this.#try(() => this.ask('note.get', { id: this.id }));
    if (result) this.side.conflicts(this, result.note.conflicts);
  }

  resolve(conflict, take) { return this.#try(() => this.#note.ask('buffer.resolve', { conflict: conflict.id, take })); }

  revert(version) { return this.#try(() => this.#note.ask('buffer.revert', { version })); }

  async rename() {
    const name = await ask('Name of the note', 'Rename', this.#note.name ?? '');
    if (name === null) return;
    const result = await this.#try(() => this.#note.ask('buffer.rename', { name: name.trim() || null }));
    if (result) this.#note.name = name.trim() || null;
  }

  async deleteOrRestore() {
    if (this.deleted) await this.#try(() => this.#note.ask('buffer.restore', {}));
    else await this.#try(() => this.#note.ask('buffer.delete', {}));
    this.side.hide();
  }

  async save() {
    const result = await this.#try(() => this.#note.save());
    if (result) this.tell('Saved on disk');
  }

  get mayAdd() { return !this.isReadOnly && !this.isFile && this.session.note === null; }

  // Keeps files of this device, and writes links to them at the caret.
  async add(files) {
    const note = this.#note;
    if (!note || !this.mayAdd) return;
    this.#switch(false);
    for (const file of files) {
      const name = await this.#try(() => upload(this.connection, file, (part) => this.tell(`Sending ${file.name}: ${Math.floor(100 * part)} %`, true)));
      if (!name) return;
      if (note !== this.#note) return this.tell(`${name} is kept. Its note is not open any more, so no link was written.`);
      this.tell(`${name} is kept.`);
      this.focus();
      document.execCommand('insertText', false, `![[${name}]]`);
    }
  }

  create(name) { location.hash = `#/new/${identifier()}/${encodeURIComponent(name)}`; }

  signOut() { this.session.end(); }
}
