// Sends files of this device to the daemon, in parts.
import { identifier } from './elements.js';

const partBytes = 262_144;
const stepBytes = 32_768;

function base64(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += stepBytes) text += String.fromCharCode(...bytes.subarray(at, at + stepBytes));
  return btoa(text);
}

// A name of a note for a file, without what links give a meaning. What a camera or a clipboard names like all others gets the time.
function nameOf(file) {
  const time = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  const name = file.name.normalize('NFC').replace(/[\p{C}\/\\[\]|#^]/gu, ' ').replace(/\s+/g, ' ').replace(/ \./g, '.').trim().slice(-80).replace(/^\.+/, '');
  return !name || /^image\.\w+$/.test(name) ? `${time}.${name.split('.').at(-1) || 'bin'}` : name;
}

// Makes a note of a file, and returns its name. TELL gets what is sent so far, as a part of 1.
export async function upload(connection, file, tell) {
  if (!globalThis.crypto?.subtle) throw new Error('This browser sends files only through https, or on this machine.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const hash = [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const content = { sha256: hash, bytes: bytes.length };
  let state = await connection.ask('file.begin', content);
  while (!state.there) {
    tell(bytes.length ? state.offset / bytes.length : 1);
    const data = base64(bytes.subarray(state.offset, state.offset + partBytes));
    state = await connection.ask('file.put', { ...content, offset: state.offset, data });
  }
  const [, first, ending] = /^(.*?)(\.\w+)?$/s.exec(nameOf(file));
  for (let number = 1; ; number++) {
    const name = `files/${first}${number > 1 ? `-${number}` : ''}${ending ?? ''}`;
    try {
      await connection.ask('attach.file', { id: identifier(), name, ...content });
      return name;
    } catch (error) {
      if (error.data?.kind !== 'note_exists' || number > 99) throw error;
    }
  }
}
