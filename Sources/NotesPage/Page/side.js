// What is beside a note: conflicts, history, links.
import { element, part, person, when } from './elements.js';

export class Side {
  // WHAT is shown: 'conflicts', 'history', 'more', or null.
  what = null;

  constructor(section, buttons) {
    Object.assign(this, { section, buttons });
  }

  show(what, ...content) {
    this.what = what;
    this.section.replaceChildren(...content);
    this.section.hidden = what === null;
    for (const [name, button] of Object.entries(this.buttons)) button.setAttribute('aria-expanded', String(name === what));
  }

  hide() { this.show(null); }

  // MARK: Conflicts

  conflicts(view, conflicts) {
    const shown = conflicts.map((conflict) => {
      const sides = conflict.sides.map((side) => {
        const text = conflict.kind === 'text' ? compared(conflict.base ?? '', side.text ?? '', element('pre'))
          : element('pre', { textContent: side.deleted ? 'deleted' : side.name ?? side.text ?? 'no name' });
        const label = `${person(side.author)}, ${when(side.modified)}${side.withdrawn ? ', undone' : ''}`;
        const take = element('button', { type: 'button', textContent: 'Take this', onclick: () => view.resolve(conflict, side.dot) });
        return element('div', { className: 'alternative' }, element('div', { className: 'quiet', textContent: label }), text,
          element('div', { className: 'choices' }, take));
      });
      const texts = conflict.sides.filter((side) => !side.withdrawn && side.text !== undefined).map((side) => side.text);
      const both = element('button', { type: 'button', textContent: 'Keep both', onclick: () => view.resolve(conflict, { text: texts.join('') }) });
      const asIs = element('button', { type: 'button', textContent: 'Leave the note as it is', onclick: () => view.resolve(conflict, 'shown') });
      const what = { name: `Two names. Before: ${conflict.base ?? 'none'}`, deletion: 'One deleted the note, another changed it.' }[conflict.kind];
      return element('div', { className: 'card' }, what && element('p', { textContent: what }), ...sides,
        element('div', { className: 'choices' }, conflict.kind === 'text' ? both : null, asIs));
    });
    this.show('conflicts', element('h2', { textContent: 'Which text is right?' }),
      element('p', {
        className: 'quiet',
        textContent: 'Two people changed the same place at the same time. Nothing is lost: until somebody chooses, both stand in the note.',
      }), ...shown);
  }

  // MARK: History

  async history(view) {
    const heading = element('h2', { textContent: 'History' });
    this.show('history', heading, element('p', { className: 'quiet', textContent: 'Loading…' }));
    const list = element('ol');
    let before = null;
    let last = null;
    const more = element('button', { type: 'button', textContent: 'Older', onclick: () => read() });
    const read = async () => {
      const page = await this.#try(view, () => view.ask('note.history', { id: view.id, limit: 200, ...(before && { before }) }));
      if (!page || this.what !== 'history') return;
      for (const revision of page.revisions) {
        const place = `${revision.author?.user}\n${baseLabel(revision.author)}`;
        // Writes of one place within 5 minutes are one step.
        if (last && last.place === place && last.from - Date.parse(revision.modified) < 300_000 && last.kind === revision.kind) {
          last.from = Date.parse(revision.modified);
          last.parents = revision.parents;
          continue;
        }
        last = { place, from: Date.parse(revision.modified), kind: revision.kind, version: revision.version, parents: revision.parents };
        list.append(this.#step(view, revision, last));
      }
      before = page.next;
      more.hidden = !before;
    };
    await read();
    if (this.what === 'history') this.show('history', heading, list, more);
  }

  #step(view, revision, step) {
    const what = revision.deleted ? 'Deleted' : { purged: 'Purged', undo: 'Undone' }[revision.kind] ?? '';
    const detail = element('div', { hidden: true });
    const button = element('button', { type: 'button', className: 'step', 'aria-expanded': 'false', onclick: () => open() },
      element('b', { textContent: person(revision.author) }), ` ${when(revision.modified)}`, what ? ` · ${what}` : '');
    const open = async () => {
      detail.hidden = !detail.hidden;
      button.setAttribute('aria-expanded', String(!detail.hidden));
      if (detail.hidden || detail.childNodes.length) return;
      const now = await this.#try(view, () => view.ask('note.get', { id: view.id, at: step.version }));
      const old = step.parents.length ? await this.#try(view, () => view.ask('note.get', { id: view.id, at: step.parents.join(' ') })) : { note: { text: '' } };
      if (!now || !old) return;
      const back = element('button', { type: 'button', textContent: 'Return to this text', onclick: () => view.revert(step.version) });
      detail.replaceChildren(compared(old.note.text, now.note.text, element('div', { className: 'diff' })),
        view.isReadOnly ? '' : element('div', { className: 'choices' }, back));
    };
    return element('li', {}, button, detail);
  }

  // MARK: Links, name, deletion

  async more(view) {
    const act = (textContent, onclick) => element('button', { type: 'button', textContent, onclick });
    const acts = view.isReadOnly ? [] : [act('Rename', () => view.rename()), act(view.deleted ? 'Bring back' : 'Delete', () => view.deleteOrRestore())];
    const out = element('ul');
    const to = element('ul');
    this.show('more', element('h2', { textContent: 'This note' }), element('div', { className: 'choices' }, ...acts, view.mayAdd && act('Add a file', () => part('pick').click()), act('History', () => this.history(view)), act('Sign out', () => view.signOut())),
      element('h3', { textContent: 'Links from here' }), out, element('h3', { textContent: 'Links to here' }), to);
    const none = () => element('li', { className: 'quiet', textContent: 'None' });
    const go = (name, href, text) => element('li', {}, element('a', { className: 'link', href }, element('b', { textContent: name, dir: 'auto' }), text ? element('span', { className: 'snip', textContent: text }) : null));
    const targets = view.deleted ? [] : wikiTargets(view.text);
    if (targets.length) {
      const result = await this.#try(view, () => view.ask('links.resolve', { targets: targets.map((target) => ({ kind: 'wiki', target })), from: view.id, kind: 'any' }));
      for (const [place, { notes }] of (result?.found ?? []).entries()) {
        if (notes.length) out.append(go(targets[place], `#/note/${notes[0].id}`, notes[0].title));
        else out.append(element('li', {}, act(`Write ${targets[place]}`, () => view.create(targets[place]))));
      }
    } else {
      out.append(none());
    }
    const page = view.deleted ? null : await this.#try(view, () => view.ask('links.to', { id: view.id, limit: 100 }));
    const seen = new Set();
    for (const { note, snippet } of page?.links ?? []) {
      if (!seen.has(note.id)) to.append(go(note.name ?? note.title ?? 'No name', `#/note/${note.id}`, snippet));
      seen.add(note.id);
    }
    if (!seen.size) to.append(none());
  }

  async #try(view, request) {
    try {
      return await request();
    } catch (error) {
      view.tell(error.code === 7002 ? 'Offline: this is with the daemon.' : error.message);
      return null;
    }
  }
}

// The targets of the first 100 wiki links of a text, each once.
function wikiTargets(text) {
  const found = text.matchAll(/(?<!!)\[\[([^\[\]|#\n]+)/g);
  return [...new Set([...found].map((match) => match[1].trim()))].filter(Boolean).slice(0, 100);
}

const baseLabel = (author) => (author?.label ?? '').split('/').slice(0, 2).join('/');

const words = (text) => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

// Puts a text into an element, with what was added and removed marked by words.
function compared(old, now, into) {
  const [from, to] = [words(old), words(now)];
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head++;
  let tail = 0;
  while (tail < Math.min(from.length, to.length) - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++;
  const [a, b] = [from.slice(head, from.length - tail), to.slice(head, to.length - tail)];
  const context = (parts) => parts.join('');
  const before = context(to.slice(0, head));
  const after = context(to.slice(to.length - tail));
  into.append(before.length > 400 ? '…' + before.slice(-300) : before);
  if (a.length * b.length > 1_000_000) into.append(element('del', { textContent: context(a) }), element('ins', { textContent: context(b) }));
  else for (const [kind, text] of alignment(a, b)) into.append(kind ? element(kind, { textContent: text }) : text);
  into.append(after.length > 400 ? after.slice(0, 300) + '…' : after);
  return into;
}

// Parts of two lists of words: kept (''), 'ins' and 'del', from a longest common subsequence.
function alignment(a, b) {
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j] ? lengths[(i + 1) * width + j + 1] + 1
        : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const parts = [];
  const put = (kind, text) => {
    if (parts.at(-1)?.[0] === kind) parts.at(-1)[1] += text; else parts.push([kind, text]);
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put('', b[j++]);
      i++;
    } else if (i < a.length && (j === b.length || lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      put('del', a[i++]);
    } else {
      put('ins', b[j++]);
    }
  }
  return parts;
}
