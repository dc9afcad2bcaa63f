// What this device keeps, in IndexedDB, which survives a killed browser: a browser may write localStorage minutes later.
// Drafts are texts that are not known to be saved, one for each note and writer. Texts are those of the notes that were
// read last.

const textsMax = 40;
const textLengthMax = 500_000;

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export class Kept {
  #drafts = new Map();
  #base = null;
  #late = new Map();
  // Whether a draft could not be kept.
  isFull = false;

  static async open() {
    const kept = new Kept();
    try {
      const request = indexedDB.open('notes', 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('drafts');
        request.result.createObjectStore('texts').createIndex('at', 'at');
      };
      kept.#base = await done(request);
      await kept.read();
    } catch {
      kept.isFull = true;
    }
    return kept;
  }

  // Reads the drafts of other pages of this browser, too.
  async read() {
    if (!this.#base) return;
    const store = this.#base.transaction('drafts').objectStore('drafts');
    const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    this.#drafts = new Map(keys.map((key, place) => [key, values[place]]));
  }

  #write(name, change) {
    if (!this.#base) return;
    const transaction = this.#base.transaction(name, 'readwrite');
    change(transaction.objectStore(name));
    if (name !== 'drafts') return;
    transaction.oncomplete = () => { this.isFull = false; };
    transaction.onabort = () => { this.isFull = true; };
  }

  put(key, draft) {
    this.#drafts.set(key, draft);
    this.#write('drafts', (store) => store.put(draft, key));
  }

  remove(key) {
    if (this.#drafts.delete(key)) this.#write('drafts', (store) => store.delete(key));
  }

  all() { return [...this.#drafts].map(([key, draft]) => ({ key, ...draft })); }

  // Keeps the text of a note, a second after its last change.
  putText(id, text) {
    clearTimeout(this.#late.get(id));
    if (text.text.length > textLengthMax) return;
    this.#late.set(id, setTimeout(() => {
      this.#late.delete(id);
      this.#write('texts', (store) => {
        store.put({ id, at: Date.now(), ...text }, id);
        store.count().onsuccess = ({ target }) => {
          let more = target.result - textsMax;
          if (more <= 0) return;
          store.index('at').openCursor().onsuccess = ({ target: { result: oldest } }) => {
            if (!oldest || more-- <= 0) return;
            oldest.delete();
            oldest.continue();
          };
        };
      });
    }, 1_000));
  }

  // The text of a note that was read here; null if there is none.
  async text(id) {
    if (!this.#base) return null;
    const { at, ...text } = await done(this.#base.transaction('texts').objectStore('texts').get(id)) ?? {};
    return text.id ? text : null;
  }

  // Forgets everything but what is not sent.
  forget() {
    for (const late of this.#late.values()) clearTimeout(late);
    this.#write('texts', (store) => store.clear());
    localStorage.removeItem('list');
  }
}
