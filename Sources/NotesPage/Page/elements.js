// What all views of the page use.

// An element with properties, attributes and children.
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value; else made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// A time as people say it.
export function when(time) {
  const date = new Date(time);
  const seconds = (Date.now() - date) / 1000;
  if (seconds < 60) return 'now';
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (date.toDateString() === new Date().toDateString()) return date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', ...(seconds > 3e7 && { year: 'numeric' }) });
}

// A number of bytes as people say it.
export function size(bytes) {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const step = Math.min(3, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** step).toFixed(step && bytes / 1000 ** step < 10 ? 1 : 0)} ${units[step]}`;
}

// Somebody, from a user and a label such as `web/phone/1a2b3c4d`.
export function person({ user, label } = {}) {
  const name = typeof user === 'object' ? user?.person ?? user?.name : user;
  const parts = (label ?? '').split('/');
  const place = ['web', 'guest'].includes(parts[0]) ? parts[1] : parts.filter((part) => !/^[0-9a-f]{8}$/.test(part)).join('/');
  return [name, place].filter(Boolean).join(' · ') || 'somebody';
}

// A UUID of version 7, so that a repeated request makes no second note.
export function identifier() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  let time = Date.now();
  for (let place = 5; place >= 0; place--) {
    bytes[place] = time % 256;
    time = Math.floor(time / 256);
  }
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-');
}

export const part = (id) => document.getElementById(id);

// Asks for a word; null if the user cancels.
export function ask(question, go, value = '') {
  const [dialog, input] = [part('ask'), part('askinput')];
  part('asktext').textContent = question;
  part('askgo').textContent = go;
  input.value = value;
  dialog.returnValue = 'no';
  dialog.showModal();
  input.select();
  return new Promise((done) => {
    dialog.onclose = () => done(dialog.returnValue === 'yes' ? input.value : null);
  });
}
part('askinput').addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  event.preventDefault();
  part('ask').close('yes');
});
