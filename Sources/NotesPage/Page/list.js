// The list of notes, and the search.
import { element, size, when } from './elements.js';

const limit = 200;
const kept = 40;
// More rows than anybody scrolls through make each change slow.
const rowsMax = 2_000;

export class List extends EventTarget {
  #notes = new Map();
  #order = [];
  #hits = null;
  #next = null;
  #rows = new WeakMap();
  #asked = 0;
  #drawing = 0;
  #reading = 0;
  // Whether the files are listed, in place of the texts.
  isFiles = false;
  // The note that is shown, and those with text that is not sent.
  current = null;
  unsent = new Set();

  constructor(connection, { list, find, count, files }) {
    super();
    Object.assign(this, { connection, list, find, count });
    files.onclick = () => {
      this.isFiles = !this.isFiles;
      files.setAttribute('aria-pressed', String(this.isFiles));
      this.#notes.clear();
      this.#order = [];
      this.clear();
      this.read();
    };
    connection.addEventListener('up', () => this.read());
    connection.addEventListener('attach.daemon', ({ detail }) => detail.up && this.read());
    connection.addEventListener('attach.note', ({ detail }) => this.#changed(detail.note));
    find.addEventListener('input', () => this.search());
    find.addEventListener('keydown', (event) => this.#findKey(event));
    list.addEventListener('keydown', (event) => this.#listKey(event));
    list.addEventListener('scroll', () => {
      if (this.#next && !this.#hits && this.#order.length < rowsMax && list.scrollTop + 2 * list.clientHeight > list.scrollHeight) this.#readOn();
    });
    // The list of the last time, until the daemon answers.
    for (const note of JSON.parse(localStorage.getItem('list') ?? '[]')) this.#put(note);
    this.draw();
  }

  note(id) { return this.#notes.get(id); }

  #put(note) {
    if (!this.#notes.has(note.id)) this.#order.push(note.id);
    this.#notes.set(note.id, note);
  }

  async read() {
    const mine = ++this.#reading;
    try {
      await this.connection.ask('attach.watch', { kind: 'any' });
      const page = await this.#page();
      if (mine !== this.#reading) return;
      this.#notes.clear();
      this.#order = [];
      this.#take(page);
    } catch {}
    this.draw();
  }

  async #readOn() {
    const after = this.#next;
    const mine = this.#reading;
    this.#next = null;
    try {
      const page = await this.#page({ after });
      if (mine === this.#reading) this.#take(page);
    } catch {
      this.#next = after;
    }
    this.draw();
  }

  #page(more) {
    return this.connection.ask('note.list', { order: 'newest', limit, filter: this.#kind, ...more });
  }

  get #kind() { return this.isFiles ? { kind: 'file' } : {}; }

  #take({ notes, next }) {
    for (const note of notes) this.#put(note);
    this.#next = next;
    if (this.isFiles) return;
    const first = this.#order.slice(0, kept).map((id) => this.#notes.get(id));
    const heads = first.map(({ id, name, title, modified }) => ({ id, name, title, modified }));
    try { localStorage.setItem('list', JSON.stringify(heads)); } catch {}
  }

  #changed(note) {
    if (!note) {
      clearTimeout(this.rereading);
      this.rereading = setTimeout(() => this.read(), 300);
      return;
    }
    if (!note.deleted && Boolean(note.file) !== this.isFiles) return;
    this.#notes.set(note.id, note);
    const place = this.#order.indexOf(note.id);
    if (place >= 0) this.#order.splice(place, 1);
    if (note.deleted) this.#notes.delete(note.id); else this.#order.unshift(note.id);
    this.dispatchEvent(new CustomEvent('changed', { detail: note }));
    if (this.#hits) this.search(); else this.draw();
  }

  draw() {
    clearTimeout(this.#drawing);
    this.#drawing = setTimeout(() => this.#drawNow(), 50);
  }

  #drawNow() {
    const focused = this.list.contains(document.activeElement) ? document.activeElement.hash : null;
    const rows = this.#hits
      ? this.#hits.map(({ note, snippet, ranges }) => this.#row(note, ranges && marked(snippet, ranges)))
      : this.#order.map((id) => this.#listed(id));
    if (!this.#hits && this.#next && rows.length >= rowsMax) rows.push(element('li', { className: 'quiet', textContent: 'The search finds older notes.' }));
    this.#place(rows);
    if (focused) [...this.list.querySelectorAll('a')].find((link) => link.hash === focused)?.focus();
    if (this.#hits) this.count.textContent = this.#hits.length ? '' : this.isFiles ? 'Nothing found.' : 'Nothing found. Enter makes a note of this name.';
    else this.count.textContent = rows.length || !this.connection.up ? '' : this.isFiles ? 'No files yet.' : 'No notes yet.';
  }

  // Puts the rows into the list, and moves only those that are elsewhere: it can have ten thousand.
  #place(rows) {
    let place = this.list.firstChild;
    for (const row of rows) {
      if (row === place) place = place.nextSibling;
      else this.list.insertBefore(row, place);
    }
    while (place) {
      const next = place.nextSibling;
      place.remove();
      place = next;
    }
  }

  // The row of a note in the list, made again if it would look different.
  #listed(id) {
    const note = this.#notes.get(id);
    const isRecent = Date.now() - Date.parse(note.modified) < 86_400_000;
    const look = `${id === this.current} ${this.unsent.has(id)} ${isRecent && when(note.modified)}`;
    const made = this.#rows.get(note);
    if (made?.look === look) return made.row;
    const row = this.#row(note);
    this.#rows.set(note, { look, row });
    return row;
  }

  #row(note, snippet) {
    const name = note.name ?? note.title ?? '';
    const line = snippet ?? element('span', { className: 'snip', dir: 'auto', textContent: note.file ? `${size(note.file.bytes)} · ${note.file.type}` : note.name && note.title !== note.name ? note.title : '' });
    const current = note.id === this.current ? { 'aria-current': 'page' } : {};
    return element('li', {}, element('a', { href: `#/note/${note.id}`, ...current },
      element('span', { className: 'row' },
        element('b', { title: name, textContent: name || 'No name', dir: 'auto' }),
        note.modified && element('time', { dateTime: note.modified, textContent: when(note.modified) })),
      line,
      note.conflicts?.length ? element('span', { className: 'tag', textContent: 'conflict' }) : null,
      this.unsent.has(note.id) ? element('span', { className: 'tag', textContent: 'not sent yet' }) : null));
  }

  // Shows all notes again.
  clear() {
    this.find.value = '';
    this.search();
  }

  async search() {
    const typed = this.find.value.trim();
    const mine = ++this.#asked;
    if (!typed) {
      this.#hits = null;
      return this.draw();
    }
    // The last word is still being typed.
    const query = /[\p{L}\p{N}]{2,}$/u.test(typed) && !/["()]/.test(typed) ? typed + '*' : typed;
    try {
      const { hits } = await this.connection.ask('note.search', { query, limit: 50, ...this.#kind });
      if (mine !== this.#asked) return;
      const found = new Set(hits.map((hit) => hit.note.id));
      this.#hits = [...this.#named(typed).filter((note) => !found.has(note.id)).map(asHit), ...hits];
      this.#drawNow();
    } catch (error) {
      if (mine !== this.#asked) return;
      this.#hits = this.#named(typed).map(asHit);
      this.#drawNow();
      if (error.code !== 7002) this.count.textContent = error.message;
      else this.count.textContent = 'Offline: only names on this device are searched.';
    }
  }

  // The notes in the list whose name or title has what was typed.
  #named(typed) {
    const part = typed.toLowerCase();
    const notes = this.#order.map((id) => this.#notes.get(id));
    return notes.filter(({ name, title }) => `${name ?? ''}\n${title ?? ''}`.toLowerCase().includes(part)).slice(0, 20);
  }

  #findKey(event) {
    const first = this.list.querySelector('a');
    if (event.key === 'ArrowDown') {
      first?.focus();
      event.preventDefault();
    } else if (event.key === 'Escape') {
      this.clear();
    } else if (event.key === 'Enter' && !event.isComposing) {
      const name = this.find.value.trim();
      if (first && this.#hits) first.click();
      else if (name && this.#hits && !this.isFiles) this.dispatchEvent(new CustomEvent('create', { detail: name }));
    }
  }

  #listKey(event) {
    const links = [...this.list.querySelectorAll('a')];
    const place = links.indexOf(document.activeElement);
    const to = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || place < 0) return;
    event.preventDefault();
    (to < 0 ? this.find : links[Math.min(to, links.length - 1)]).focus();
  }
}

const asHit = (note) => note.file ? { note } : { note, snippet: note.title ?? '', ranges: [] };

// A snippet with its found words marked, which begins shortly before the first.
function marked(text, ranges) {
  const line = element('span', { className: 'snip', dir: 'auto' });
  let at = ranges.length ? Math.max(0, ranges[0].start - 20) : 0;
  if (at) line.append('…');
  for (const { start, end } of ranges) {
    if (start < at) continue;
    line.append(text.slice(at, start), element('mark', { textContent: text.slice(start, end) }));
    at = end;
  }
  line.append(text.slice(at));
  return line;
}
