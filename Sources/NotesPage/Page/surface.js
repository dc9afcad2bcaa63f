// Elements in which a note is typed while others change it (docs/web.md).

// An element with contenteditable="plaintext-only". Its only child is one text node: the text and one more line feed,
// so that the caret can stand in an empty last line. When others change the node, the browser moves the selection and
// a composition by itself.
export class PlainText {
  #composing = false;
  #late = 0;
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

  // The text, also while the element has others than its text node: an extension or an input method may put them there.
  get value() {
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
    this.element.replaceChildren(document.createTextNode(text + '\n'));
    if (selection) this.select(...selection.map((offset) => Math.min(offset, text.length)));
  }

  // Makes the element's content one text node again.
  #tidy() {
    if (this.#isTidy || this.#composing) return;
    this.element.normalize();
    const node = this.#node;
    if (this.element.childNodes.length === 1 && node.nodeType === Node.TEXT_NODE && !node.data.endsWith('\n')) node.appendData('\n');
    if (this.#isTidy) return;
    const text = this.value;
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
    const most = this.value.length;
    const { anchorNode, anchorOffset, focusNode, focusOffset } = selection;
    return [this.#offset(anchorNode, anchorOffset), this.#offset(focusNode, focusOffset)].map((offset) => Math.min(most, offset));
  }

  // Lets the user type. Without a selection in the text node, Firefox types nothing.
  focus() {
    this.element.focus();
    const { anchorNode } = getSelection();
    if (anchorNode !== this.#node) getSelection().collapse(this.#node, 0);
  }

  // Selects, if the user is here.
  select(anchor, head) {
    if (document.activeElement !== this.element) return;
    const node = this.#node;
    const most = node.data.length - 1;
    getSelection().setBaseAndExtent(node, Math.min(anchor, most), node, Math.min(head, most));
    this.reveal();
  }

  // Puts a text in place of the selection, in place of the browser.
  #type(text, kind) {
    if (this.#composing) return;
    this.#tidy();
    const [start, end] = this.selection().sort((one, other) => one - other);
    this.#node.replaceData(start, end - start, text);
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
    range.setStart(node, Math.min(start, node.data.length));
    range.setEnd(node, Math.min(end, node.data.length));
    return range;
  }

  // The place of the line at the top of the view; null if there is none.
  #top() {
    const view = this.element.getBoundingClientRect();
    const at = document.caretPositionFromPoint?.(view.left + 24, view.top + 12);
    if (!at || at.offsetNode !== this.#node) return null;
    const range = this.range(at.offset, at.offset);
    const top = range.getClientRects()[0]?.top;
    return top === undefined ? null : { range, top };
  }

  // Applies others' edits.
  apply(edits, isTyping) {
    this.#tidy();
    const node = this.#node;
    const old = node.data;
    const top = this.element.scrollTop > 0 ? this.#top() : null;
    const selection = getSelection();
    const isCaret = selection.rangeCount && selection.isCollapsed && selection.anchorNode === node;
    const caret = isCaret && !isTyping && !this.#composing ? selection.anchorOffset : -1;
    for (const [start, end, text] of [...edits].reverse()) node.replaceData(start, end - start, text);
    // The browser leaves a caret before what is inserted there. A caret at the start of a line goes with its line.
    const above = edits.find(([start, end, text]) => start === end && start === caret && text.endsWith('\n') && (!start || old[start - 1] === '\n'));
    if (above) selection.collapse(node, selection.anchorOffset + above[2].length);
    const now = top?.range.getClientRects()[0]?.top;
    if (now !== undefined) this.element.scrollTop += now - top.top;
  }
}

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
