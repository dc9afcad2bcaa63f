// A note as rendered Markdown. The server parses the text into blocks, each a list of steps (docs/decisions/web.md, 0096), of
// which this file makes elements. No HTML is made from text, and only the kinds and addresses below become elements and links.
import { element } from './elements.js';
import { isPicture, picture, place } from './file.js';

const plain = { p: 'p', blockquote: 'blockquote', ul: 'ul', li: 'li', em: 'em', strong: 'strong', del: 'del', code: 'code', br: 'br', hr: 'hr' };
const alignments = ['', 'center', 'right'];
const isAddress = (address) => /^(https?:\/\/|mailto:)/i.test(address);
const isPath = (address) => /^[^#?/\\:]+[^:]*$/.test(address);
const wikiLink = /(!?)\[\[([^\[\]|#\n]+)(#[^\[\]|\n]*)?(?:\|([^\[\]\n]+))?\]\]/g;

// Makes the element of a block. LINKS gets its links to notes, which have no address yet.
function blockOf(steps, links) {
  const top = document.createDocumentFragment();
  const path = [{ into: top, inCode: false, inLink: false }];
  const here = () => path.at(-1);
  const open = (made, more = {}) => {
    here().into.append(made);
    path.push({ ...here(), into: made, ...more });
  };
  const noteLink = (kind, target, made, shown = null) => {
    links.push({ kind, target, made, shown });
    return made;
  };
  const put = (text) => {
    if (here().inCode || here().inLink) return here().into.append(text);
    let at = 0;
    for (const { 0: whole, 1: mark, 2: target, 3: place = '', 4: label, index } of text.matchAll(wikiLink)) {
      // After the name of a picture, a number is its width.
      const width = mark && /^\d{1,4}(x\d+)?$/.test(label ?? '') ? parseInt(label, 10) : 0;
      const made = element('a', { textContent: width || !label ? target + place : label });
      here().into.append(text.slice(at, index), noteLink('wiki', target.trim(), made, mark && { width }));
      at = index + whole.length;
    }
    here().into.append(text.slice(at));
  };
  const openLink = (address, shown) => {
    if (here().inLink) open(element('span'));
    else if (isAddress(address)) open(element('a', { href: address, target: '_blank', rel: 'noopener noreferrer' }), { inLink: true });
    else if (isPath(address)) open(noteLink('path', decoded(address.split(/[#?]/)[0]), element('a'), shown), { inLink: true });
    else open(element('span'), { inLink: true });
  };
  const openers = {
    h: (level) => open(element(`h${Math.min(6, Number(level) + 1)}`)),
    ol: (start) => open(element('ol', { start: Number(start) })),
    task: (isDone) => {
      open(element('li', { className: 'task' }));
      here().into.append(element('input', { type: 'checkbox', checked: Boolean(isDone), disabled: true, 'aria-label': isDone ? 'done' : 'to do' }));
    },
    pre: () => open(element('pre'), { inCode: true }),
    code: () => open(element('code'), { inCode: true }),
    a: openLink,
    image: (address) => {
      openLink(address, { width: 0 });
      here().into.append('Picture: ');
    },
    table: () => {
      const table = element('table');
      here().into.append(element('div', { className: 'wide', role: 'region', 'aria-label': 'Table', tabIndex: 0 }, table));
      path.push({ ...here(), into: table });
    },
    head: () => {
      const row = element('tr');
      here().into.append(element('thead', {}, row));
      path.push({ ...here(), into: row, cell: 'th' });
    },
    row: () => open(element('tr'), { cell: 'td' }),
    cell: (alignment) => open(element(here().cell ?? 'td', { className: alignments[alignment] ?? '' })),
  };
  for (const step of steps) {
    if (step === 0) path.length > 1 && path.pop();
    else if (typeof step === 'string') put(step);
    else if (Object.hasOwn(openers, step[0])) openers[step[0]](step[1]);
    else open(element(Object.hasOwn(plain, step[0]) ? plain[step[0]] : 'span'));
  }
  return top.childNodes.length === 1 && top.firstElementChild ? top.firstElementChild : element('div', {}, top);
}

function decoded(path) {
  try { return decodeURIComponent(path); } catch { return path; }
}

export class Reader {
  #shown = [];
  #isAsking = false;
  #isStale = false;
  #late = 0;
  #found = new Map();

  // ARTICLE is where the note is shown, NOTE says what to show, and RESOLVE finds the notes of links.
  constructor(article, text, resolve) {
    Object.assign(this, { article, text, resolve });
  }

  get isOn() { return !this.article.hidden; }

  // Shows another note.
  clear() {
    this.#shown = [];
    this.#found.clear();
    this.article.replaceChildren();
  }

  // Renders soon, for a change of the text.
  soon() {
    if (!this.isOn) return;
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.render(), 250);
  }

  // Renders the text, and again if it changes meanwhile.
  async render() {
    clearTimeout(this.#late);
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      while (this.#isStale && this.isOn) {
        this.#isStale = false;
        const text = this.text();
        const answer = text.trim() ? await asked(text) : { tree: { blocks: [] } };
        if (this.#isStale && answer.tree) continue;
        if (answer.tree) await this.#place(answer.tree);
        else this.#placePlain(text, answer.words);
        if (answer.isBusy) this.#late = setTimeout(() => this.render(), 500);
      }
    } finally {
      this.#isAsking = false;
    }
  }

  // Replaces the blocks that changed, and keeps the place of what is at the top of the view.
  async #place({ blocks, isCut }) {
    if (!this.#shown.length) this.article.replaceChildren();
    const fresh = blocks.map(([line, ...steps]) => ({ line, steps, key: JSON.stringify(steps) }));
    const old = this.#shown;
    let head = 0;
    while (head < old.length && head < fresh.length && old[head].key === fresh[head].key) head++;
    let tail = 0;
    while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail).key === fresh.at(-1 - tail).key) tail++;
    const top = this.#top();
    const links = [];
    for (const [place, block] of fresh.entries()) {
      const same = place < head ? old[place] : place >= fresh.length - tail ? old[old.length - fresh.length + place] : null;
      block.made = same?.made ?? blockOf(block.steps, links);
    }
    for (const { made } of old.slice(head, old.length - tail)) made.remove();
    const next = fresh[fresh.length - tail]?.made ?? this.article.querySelector(':scope > .quiet');
    for (const { made } of fresh.slice(head, fresh.length - tail)) this.article.insertBefore(made, next);
    this.#shown = fresh;
    this.article.querySelector(':scope > .quiet')?.remove();
    const words = isCut ? 'The rest is too long to be shown this way. Write shows it.' : fresh.length ? '' : 'This note is empty.';
    if (words) this.article.append(element('p', { className: 'quiet', textContent: words }));
    if (top?.made.isConnected) this.article.scrollTop += top.made.getBoundingClientRect().top - top.at;
    await this.#link(links);
  }

  // Shows the text as it is written, with the reason.
  #placePlain(text, words) {
    const at = this.article.scrollTop;
    this.#shown = [];
    this.article.replaceChildren(element('p', { className: 'quiet', textContent: words }), element('pre', { className: 'asis', textContent: text }));
    this.article.scrollTop = at;
  }

  async #link(links) {
    const keyOf = ({ kind, target }) => `${kind} ${target}`;
    const unknown = new Map(links.filter((link) => !this.#found.has(keyOf(link))).map((link) => [keyOf(link), { kind: link.kind, target: link.target }]));
    let wanted = [...unknown].slice(0, 100);
    while (wanted.length) {
      const found = await this.resolve(wanted.map(([, target]) => target));
      if (!found?.length) break;
      for (const [place, { notes }] of found.entries()) if (notes.length) this.#found.set(wanted[place][0], notes[0]);
      wanted = wanted.slice(found.length);
    }
    for (const link of links) {
      const { id, name, file, isPictureOnly } = this.#found.get(keyOf(link)) ?? {};
      if (!/^[0-9a-f-]{36}$/.test(id)) continue;
      if (!isPictureOnly) link.made.href = `#/note/${id}`;
      if (!link.shown || !file || !isPicture(name, file.bytes)) continue;
      const words = link.made.textContent.replace(/^Picture: /, '');
      link.made.replaceChildren(picture({ id, hash: file.sha256, name }, words));
      if (!isPictureOnly) link.made.setAttribute('aria-label', words || name);
      if (link.shown.width) link.made.firstChild.width = link.shown.width;
    }
  }

  // Shows what a file is now.
  changed({ id, file }) {
    for (const found of this.#found.values()) if (found?.id === id) found.file = file;
    for (const shown of this.article.querySelectorAll(`img[src^="file/${id}/"]`)) {
      if (shown.getAttribute('src') !== place(id, file.sha256)) shown.src = place(id, file.sha256);
    }
  }

  // The block at the top of the view.
  #top() {
    const { top } = this.article.getBoundingClientRect();
    const block = this.#shown.find(({ made }) => made.getBoundingClientRect().bottom > top);
    return block && { ...block, at: block.made.getBoundingClientRect().top };
  }

  // The number of the line of the text at the top of the view.
  get line() { return this.article.scrollTop ? this.#top()?.line ?? 1 : 1; }

  // Scrolls to the block of a line.
  goTo(line) {
    const block = this.#shown.findLast((block) => block.line <= line);
    this.article.scrollTop = 0;
    if (block && line > 1) this.article.scrollTop = block.made.getBoundingClientRect().top - this.article.getBoundingClientRect().top;
  }
}

// The tree of a text, or the reason why there is none.
async function asked(text) {
  try {
    const response = await fetch('read', { method: 'POST', body: text, headers: { 'Content-Type': 'text/plain;charset=utf-8' } });
    if (response.ok) return { tree: await response.json() };
    return { words: (await response.text()).trim() + ' Here it is as it is written.', isBusy: response.status === 429 };
  } catch {
    return { words: 'Offline: here is the note as it is written.' };
  }
}
