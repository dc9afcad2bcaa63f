// The page: signs in, and shows the list and the note that the address names.
import { Connection, sendDraft } from './attach.js';
import { Kept } from './kept.js';
import { List } from './list.js';
import { NoteView } from './note.js';
import { ask, part } from './elements.js';

// MARK: Signing in

const post = (path, body) => fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } });

// What this browser is, for the list of devices.
function browser() {
  const agent = navigator.userAgent;
  const first = (pairs) => pairs.find(([sign]) => agent.includes(sign))?.[1];
  const program = first([['Firefox', 'Firefox'], ['Edg/', 'Edge'], ['Chrom', 'Chrome'], ['Safari', 'Safari']]) ?? 'browser';
  const system = first([['Android', 'Android'], ['iPhone', 'iPhone'], ['iPad', 'iPad'], ['Mac', 'Mac'], ['Windows', 'Windows'], ['Linux', 'Linux']]);
  return system ? `${program} on ${system}` : program;
}

function door(words) {
  part('app').hidden = true;
  part('door').hidden = false;
  part('doortext').textContent = words;
}

// Signs in with the key in the address, which is then removed from it. The response is what this browser may do.
async function enter() {
  const key = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
  if (key) {
    history.replaceState(null, '', location.pathname);
    const response = await post('login', { key, device: browser() });
    if (!response.ok && response.status !== 401) throw new Error((await response.text()).trim());
    if (!response.ok && (await fetch('session')).status === 401) throw new Error((await response.text()).trim());
  }
  const response = await fetch('session');
  if (response.status === 401) throw new Error('This browser is not signed in.');
  const session = await response.json();
  localStorage.setItem('session', JSON.stringify(session));
  return session;
}

// MARK: The page

async function start(session) {
  const kept = await Kept.open();
  // What another device of this browser has read is not for this one.
  if (localStorage.getItem('device') !== session.device) kept.forget();
  localStorage.setItem('device', session.device);
  part('app').hidden = false;
  const connection = new Connection(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/attach`);
  const list = new List(connection, { list: part('notes'), find: part('find'), count: part('count'), files: part('files') });
  const names = ['main', 'name', 'people', 'conflicts', 'undo', 'redo', 'read', 'history', 'more', 'side', 'state', 'above', 'below', 'reader', 'file', 'pick'];
  session.end = async () => {
    const unsent = kept.all().length;
    if (unsent && !confirm(`Text of ${unsent} notes is not sent yet. It stays on this device, and is sent when you sign in again. Sign out?`)) return;
    const response = await post('logout', {}).catch(() => null);
    if (!response?.ok && response?.status !== 401) {
      return view.tell(response ? (await response.text()).trim() : 'Offline: sign out when the connection is back.');
    }
    connection.stop();
    kept.forget();
    localStorage.removeItem('session');
    door('This browser is signed out.');
  };
  const view = new NoteView(connection, kept, Object.fromEntries(names.map((name) => [name, part(name)])), session);
  const isGuest = session.note !== null;
  Object.assign(window, { page: { connection, kept, list, view } });

  const say = () => {
    const bar = part('offline');
    const words = connection.up ? (daemon ? '' : 'The daemon does not answer. What you type is kept on this device.') : 'Offline. What you type is kept on this device.';
    clearTimeout(say.timer);
    // A connection that comes back at once is not worth a word.
    say.timer = setTimeout(() => { bar.textContent = words; bar.hidden = !words; }, words ? 1_500 : 0);
  };
  let daemon = true;
  connection.addEventListener('up', () => { daemon = connection.info.daemon; say(); });
  connection.addEventListener('down', say);
  connection.addEventListener('attach.daemon', ({ detail }) => { daemon = detail.up; say(); });
  connection.addEventListener('refused', async () => {
    const status = await fetch('session').then((response) => response.status, () => 0);
    say();
    if (status !== 401) return;
    connection.stop();
    kept.forget();
    door('This browser may not use the notes any more. What was not sent is kept on this device.');
  });

  const unsent = () => {
    list.unsent = new Set(kept.all().filter(({ id }) => id !== view.id).map(({ id }) => id));
    list.current = view.id;
    list.draw();
  };
  list.addEventListener('changed', unsent);
  // What is searched is not what is written next.
  const create = (name) => {
    list.clear();
    view.create(name);
  };
  list.addEventListener('create', ({ detail }) => create(detail));

  // Drafts of pages that are gone, of a note or of all.
  async function left(id) {
    await kept.read();
    const held = navigator.locks ? (await navigator.locks.query()).held.map(({ name }) => name) : [];
    return kept.all().filter((draft) => (!id || draft.id === id) && !held.includes(`writer ${draft.writer}`));
  }

  async function go() {
    const [, kind, id, name] = /^#\/(note|new)\/([0-9a-f-]{36})(?:\/(.*))?$/.exec(location.hash) ?? [];
    if (isGuest && id !== session.note) {
      location.replace(`#/note/${session.note}`);
      return;
    }
    document.body.classList.toggle('note', Boolean(id));
    if (!id) {
      part('main').hidden = true;
      document.title = 'Notes';
      await view.close();
      return unsent();
    }
    if (view.id === id) return;
    const draft = (await left(id))[0];
    const title = list.note(id);
    const known = connection.up ? null : await kept.text(id);
    const create = kind === 'new' && { create: { id, name: name ? decodeURIComponent(name) : null } };
    await view.show(draft ?? known ?? (create || { id, name: title?.name, title: title?.title }));
    if (create) {
      history.replaceState(null, '', `#/note/${id}`);
      view.focus();
    }
    unsent();
  }
  addEventListener('hashchange', go);
  addEventListener('pagehide', () => view.flush());

  // What was typed on a page that is gone is sent, although nobody opens its note.
  connection.addEventListener('up', async () => {
    for (const draft of await left()) {
      if (draft.id === view.id) continue;
      if (await sendDraft(connection, kept, draft)) unsent();
    }
  });

  document.querySelector('.skip').onclick = (event) => {
    event.preventDefault();
    if (view.isReading) part('reader').focus(); else view.focus();
  };
  part('back').onclick = () => { location.hash = ''; };
  part('new').onclick = async () => {
    const name = await ask('Name of the new note; it may be empty, and work/plan is in the folder work', 'Write');
    if (name !== null) create(name.trim());
  };
  part('today').onclick = async () => {
    const now = new Date();
    const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((number) => String(number).padStart(2, '0')).join('-');
    create(`diary/${day}`);
  };
  for (const id of ['new', 'today']) part(id).hidden = session.readOnly;
  part('list').hidden = part('back').hidden = isGuest;
  addEventListener('keydown', (event) => {
    const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (command && event.key === 'k' && !isGuest) {
      event.preventDefault();
      location.hash = innerWidth < 700 ? '' : location.hash;
      setTimeout(() => part('find').focus());
    } else if (command && event.key === 'e' && view.id) {
      event.preventDefault();
      view.setReading(!view.isReading).then(() => view.isReading ? part('reader').focus() : view.focus());
    } else if (command && event.key === 's' && view.id) {
      event.preventDefault();
      view.save();
    } else if (event.key === 'Escape' && view.side.what) {
      view.side.hide();
      view.focus();
    }
  });
  connection.connect();
  go();
  openOffline();
}

// Lets the browser open the page without the server.
function openOffline() {
  const worker = 'worker.js';
  // The only address that the page makes to a script.
  const policy = globalThis.trustedTypes?.createPolicy('worker', { createScriptURL: () => worker });
  navigator.serviceWorker?.register(policy ? policy.createScriptURL(worker) : worker).catch(() => {});
}

try {
  await start(await enter());
} catch (error) {
  const known = localStorage.getItem('session');
  // Without the network, the page works with what this device has.
  if (known && error instanceof TypeError) await start(JSON.parse(known));
  else door(error.message);
}
