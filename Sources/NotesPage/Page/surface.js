// Elements in which a note is typed while others change it (docs/web.md).

// Most characters of a text that are in the element, in UTF-16 units. Each key takes a browser time in proportion to them.
const shownMax = 200_000;

// An element with contenteditable="plaintext-only". Its only child is one text node: the text and one more line feed,
// so that the caret can stand in an empty last line. When others change the node, the browser moves the selection and
// a composition by itself. Of a long text, the element has a part, and offsets of the interface are those of the whole.
export class PlainText {
  #composing = false;
  #late = 0;
  // The text before and behind the part that is in the element.
  #above = '';
  #below = '';
  isBusy = false;

  constructor(element) {
    this.element = element;
    element.setAttribute('contenteditable', 'plaintext-only');
    if (element.contentEditable !== 'plaintext-only') throw new Error('no plain text editing');
    this.set('');
    const on = (type, handle) => element.addEventListener(type, handle);
    on('compositionstart', () => { this.#composing = true; });
    on('compositionend', () => {
      this.#composing = false;
      // The input event that ends the composition comes before or after this one.
      setTimeout(() => this.#composing || this.#rest());
    });
    on('blur', () => {
      this.#composing = false;
      this.#rest();
    });
    on('beforeinput', (event) => this.#before(event));
    on('input', ({ inputType }) => this.#after(inputType));
    on('keydown', (event) => undoKey(event, (isRedo) => this.onundo?.(isRedo)));
    document.addEventListener('selectionchange', () => document.activeElement === element && this.onmove?.());
  }

  set isReadOnly(isReadOnly) {
    this.element.setAttribute('contenteditable', isReadOnly ? 'false' : 'plaintext-only');
    this.element.setAttribute('aria-readonly', String(isReadOnly));
  }

  // What the browser must not do by itself: its own undo takes out what others wrote, and its line breaks are elements.
  #before(event) {
    const type = event.inputType;
    if (type === 'historyUndo' || type === 'historyRedo') {
      event.preventDefault();
      this.onundo?.(type === 'historyRedo');
    } else if (type.startsWith('format')) {
      event.preventDefault();
    } else if (type === 'insertParagraph' || type === 'insertLineBreak') {
      event.preventDefault();
      this.#type('\n', 'typing');
    } else if (type === 'insertText' && event.data?.includes('\n')) {
      event.preventDefault();
      this.#type(event.data, 'paste');
    } else if (type === 'insertFromPaste') {
      const text = event.dataTransfer?.getData('text/plain');
      if (text === undefined) return;
      event.preventDefault();
      if (text) this.#type(text.replace(/\r\n?/g, '\n'), 'paste');
    }
  }

  #after(type) {
    const kind = /^insertText$|^deleteContent/.test(type) ? 'typing' : type;
    clearTimeout(this.#late);
    // What is composed is handed on when the user pauses: an input method may keep a composition open for long.
    if (this.#composing) this.#late = setTimeout(() => this.#composing && this.onchange?.('typing'), 800);
    else if (this.#isTidy) this.onchange?.(kind);
    else setTimeout(() => { this.#tidy(); this.onchange?.(kind); });
  }

  #rest() {
    this.#tidy();
    this.onready?.();
  }

  get #node() { return this.element.firstChild; }

  get #isTidy() {
    const children = this.element.childNodes;
    return children.length === 1 && children[0].nodeType === Node.TEXT_NODE && children[0].data.endsWith('\n');
  }

  get value() { return this.#above + this.#part + this.#below; }

  // The part in the element, also while that has others than its text node: an extension or an input method may put them there.
  get #part() {
    if (this.#isTidy) return this.#node.data.slice(0, -1);
    let text = '';
    const read = (parent) => {
      for (const child of parent.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) {
          text += child.data;
        } else if (child.nodeName === 'BR') {
          text += '\n';
        } else {
          if (/^(DIV|P)$/.test(child.nodeName) && text && !text.endsWith('\n')) text += '\n';
          read(child);
        }
      }
    };
    read(this.element);
    return text.endsWith('\n') ? text.slice(0, -1) : text;
  }

  set(text) {
    const selection = document.activeElement === this.element ? this.selection() : null;
    this.#show(text, 0);
    if (selection) this.select(...selection.map((offset) => Math.min(offset, text.length)));
  }

  // Puts the part of a text into the element that begins with the line of an offset.
  #show(text, offset) {
    const from = offset > 0 ? text.lastIndexOf('\n', offset - 1) + 1 : 0;
    // A line of more than the most is cut.
    const start = offset - from > shownMax ? whole(text, offset) : from;
    const most = start + shownMax;
    const line = most < text.length ? text.lastIndexOf('\n', most) : text.length;
    const end = most >= text.length || line > start + shownMax / 2 ? line : whole(text, most);
    this.#above = text.slice(0, start);
    this.#below = text.slice(end);
    this.element.replaceChildren(document.createTextNode(text.slice(start, end) + '\n'));
    this.onpart?.(start, text.length - end);
  }

  // Shows the part around an offset, unless it is shown.
  #moveTo(offset) {
    const start = this.#above.length;
    if (this.#composing || (offset >= start && offset < start + this.#node.data.length)) return;
    this.#show(this.value, Math.max(0, offset - shownMax / 2));
  }

  // Shows less if the part grew much.
  #fit(offset) {
    if (!this.#composing && this.#node.data.length > 2 * shownMax) this.#show(this.value, Math.max(0, offset - shownMax / 2));
  }

  // Shows what follows the part, or what is before it. The line next to it keeps its place.
  showMore(isAbove) {
    this.#tidy();
    const text = this.value;
    const edge = this.#above.length + (isAbove ? 0 : this.#node.data.length - 1);
    const place = () => this.range(edge, edge).getClientRects()[0]?.top ?? 0;
    const selection = document.activeElement === this.element ? this.selection() : null;
    const old = place();
    this.#show(text, Math.max(0, edge - shownMax / 2));
    this.element.scrollTop += place() - old;
    if (selection) this.select(...selection);
  }

  // The number of the line at the top of the view, from 1.
  get line() {
    const at = this.element.scrollTop > 0 ? this.#top()?.range.startOffset ?? 0 : 0;
    return (this.#above + this.#node.data.slice(0, at)).split('\n').length;
  }

  // Scrolls to a line.
  goTo(line) {
    let offset = 0;
    const text = this.value;
    for (let number = 1; number < line; number++) offset = text.indexOf('\n', offset) + 1 || offset;
    this.#moveTo(offset);
    const place = this.range(offset, Math.min(offset + 1, text.length + 1)).getClientRects()[0];
    if (place && line > 1) this.element.scrollTop += place.top - this.element.getBoundingClientRect().top - 16;
  }

  // Makes the element's content one text node again.
  #tidy() {
    if (this.#isTidy || this.#composing) return;
    this.element.normalize();
    const node = this.#node;
    if (this.element.childNodes.length === 1 && node.nodeType === Node.TEXT_NODE && !node.data.endsWith('\n')) node.appendData('\n');
    if (this.#isTidy) return;
    const text = this.#part;
    const selection = this.selection();
    this.element.replaceChildren(document.createTextNode(text + '\n'));
    this.select(...selection);
  }

  #offset(node, offset) {
    if (node === this.#node) return Math.min(offset, node.data.length);
    const range = document.createRange();
    range.selectNodeContents(this.element);
    range.setEnd(node, offset);
    return range.toString().length;
  }

  // The anchor and the head of the selection.
  selection() {
    const selection = getSelection();
    if (!selection.rangeCount || !this.element.contains(selection.anchorNode)) return [0, 0];
    const most = this.#part.length;
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    return [this.#offset(anchorNode, anchorOffset), this.#offset(focusNode, focusOffset)].map((offset) => this.#above.length + Math.min(most, offset));
  }

  // Lets the user type. Without a selection in the text node, Firefox types nothing.
  focus() {
    this.element.focus({ preventScroll: true });
    const { anchorNode } = getSelection();
    if (anchorNode !== this.#node) getSelection().collapse(this.#node, 0);
  }

  // Selects, if the user is here.
  select(anchor, head) {
    if (document.activeElement !== this.element) return;
    this.#moveTo(head);
    const node = this.#node;
    const local = (offset) => Math.max(0, Math.min(offset - this.#above.length, node.data.length - 1));
    getSelection().setBaseAndExtent(node, local(anchor), node, local(head));
    this.reveal();
  }

  // Puts a text in place of the selection, in place of the browser.
  #type(text, kind) {
    if (this.#composing) return;
    this.#tidy();
    const [start, end] = this.selection().sort((one, other) => one - other);
    this.#replace(start, end, text);
    this.#fit(start + text.length);
    this.select(start + text.length, start + text.length);
    this.onchange?.(kind);
  }

  // Scrolls so that the caret is seen.
  reveal() {
    const selection = getSelection();
    if (!selection.rangeCount || document.activeElement !== this.element) return;
    const caret = selection.getRangeAt(0).getClientRects()[0];
    const view = this.element.getBoundingClientRect();
    if (!caret) return;
    if (caret.bottom > view.bottom) this.element.scrollTop += caret.bottom - view.bottom + 8;
    else if (caret.top < view.top) this.element.scrollTop -= view.top - caret.top + 8;
  }

  // A range of the text, which moves with it.
  range(start, end) {
    const node = this.#node;
    const range = document.createRange();
    const local = (offset) => Math.max(0, Math.min(offset - this.#above.length, node.data.length));
    range.setStart(node, local(start));
    range.setEnd(node, local(end));
    return range;
  }

  // The place of the line at the top of the view; null if there is none.
  #top() {
    const view = this.element.getBoundingClientRect();
    // A place in an empty line has no rectangle.
    for (const below of [12, 36, 60]) {
      const at = document.caretPositionFromPoint?.(view.left + 40, view.top + below);
      if (at?.offsetNode !== this.#node) continue;
      const range = document.createRange();
      range.setStart(at.offsetNode, at.offset);
      const top = range.getClientRects()[0]?.top;
      if (top !== undefined) return { range, top };
    }
    return null;
  }

  // Replaces a range of the whole text, where its parts are.
  #replace(start, end, text) {
    const node = this.#node;
    const first = this.#above.length;
    const last = first + node.data.length - 1;
    if (end > last) this.#below = this.#below.slice(0, Math.max(start - last, 0)) + (start > last ? text : '') + this.#below.slice(end - last);
    if (start <= last && end >= first) {
      const from = Math.max(start, first);
      node.replaceData(from - first, Math.min(end, last) - from, start >= first ? text : '');
    }
    if (start < first) this.#above = this.#above.slice(0, start) + text + this.#above.slice(Math.min(end, first));
  }

  // Applies others' edits.
  apply(edits, isTyping) {
    this.#tidy();
    const node = this.#node;
    const first = this.#above.length;
    const old = node.data;
    const top = this.element.scrollTop > 0 ? this.#top() : null;
    const selection = getSelection();
    const isCaret = selection.rangeCount && selection.isCollapsed && selection.anchorNode === node;
    const caret = isCaret && !isTyping && !this.#composing ? first + selection.anchorOffset : -1;
    for (const [start, end, text] of [...edits].reverse()) this.#replace(start, end, text);
    // The browser leaves a caret before what is inserted there. A caret at the start of a line goes with its line.
    const above = edits.find(([start, end, text]) => start === end && start === caret && text.endsWith('\n') && (start === first || old[start - first - 1] === '\n'));
    if (above) selection.collapse(node, selection.anchorOffset + above[2].length);
    const now = top?.range.getClientRects()[0]?.top;
    if (now !== undefined) this.element.scrollTop += now - top.top;
    this.#fit(first);
    this.onpart?.(this.#above.length, this.#below.length);
  }
}

// An offset that divides no character.
const whole = (text, offset) => (/[\udc00-\udfff]/.test(text[offset] ?? '') ? offset - 1 : offset);

const undoKey = (event, undo) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return;
  event.preventDefault();
  undo(key === 'y' || event.shiftKey);
};

// A textarea, for browsers without plain text editing. Others' edits wait while it composes.
export class TextArea {
  #late = 0;
  isBusy = false;

  constructor(element) {
    this.element = element;
    const on = (type, handle) => element.addEventListener(type, handle);
    on('compositionstart', () => { this.isBusy = true; });
    on('compositionend', () => {
      this.isBusy = false;
      setTimeout(() => this.isBusy || this.onready?.());
    });
    on('beforeinput', (event) => {
      if (event.inputType !== 'historyUndo' && event.inputType !== 'historyRedo') return;
      event.preventDefault();
      this.onundo?.(event.inputType === 'historyRedo');
    });
    on('keydown', (event) => undoKey(event, (isRedo) => this.onundo?.(isRedo)));
    on('input', ({ inputType }) => {
      clearTimeout(this.#late);
      const kind = /^insertText$|^deleteContent/.test(inputType) ? 'typing' : inputType;
      if (!this.isBusy) this.onchange?.(kind);
      else this.#late = setTimeout(() => this.isBusy && this.onchange?.('typing'), 800);
    });
    document.addEventListener('selectionchange', () => document.activeElement === element && this.onmove?.());
  }

  set isReadOnly(isReadOnly) { this.element.readOnly = isReadOnly; }
  get value() { return this.element.value; }
  set(text) { this.element.value = text; }

  selection() {
    const { selectionStart: start, selectionEnd: end, selectionDirection: direction } = this.element;
    return direction === 'backward' ? [end, start] : [start, end];
  }

  select(anchor, head) {
    this.element.setSelectionRange(Math.min(anchor, head), Math.max(anchor, head), anchor > head ? 'backward' : 'forward');
  }

  showMore() {}
  line = 1;
  goTo() {}
  focus() { this.element.focus(); }
  reveal() {}
  range() { return null; }

  apply(edits, isTyping) {
    const [anchor, head] = this.selection();
    const moved = (offset) => {
      let shift = 0;
      for (const [start, end, text] of edits) {
        const grown = text.length - (end - start);
        if (end < offset || (end === offset && start < offset)) shift += grown;
        else if (start === offset && end === offset) shift += isTyping ? 0 : grown;
        else if (start < offset) return start + shift + Math.min(offset - start, text.length);
      }
      return offset + shift;
    };
    const top = this.element.scrollTop;
    const places = [moved(anchor), moved(head)];
    for (const [start, end, text] of [...edits].reverse()) this.element.setRangeText(text, start, end, 'preserve');
    this.select(...places);
    this.element.scrollTop = top;
  }
}

// The best surface that the browser has, in place of an element.
export function surfaceIn(element) {
  const fresh = element.cloneNode(false);
  element.replaceWith(fresh);
  try {
    return new PlainText(fresh);
  } catch {
    const area = document.createElement('textarea');
    area.id = fresh.id;
    area.className = fresh.className;
    area.setAttribute('aria-label', fresh.getAttribute('aria-label'));
    fresh.replaceWith(area);
    return new TextArea(area);
  }
}
