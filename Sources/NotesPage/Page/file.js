// Files: notes whose text begins with lines that name bytes. The server sends the bytes under `file/NOTE/HASH`.
import { element, size } from './elements.js';

const line = /^notesd-file sha256:([0-9a-f]{64}) (\d{1,16})$/;
const pictures = /\.(png|jpe?g|gif|webp|avif|bmp)$/i;
const sounds = /\.(mp3|wav|m4a|og[ga]|opus|flac|aac)$/i;
const films = /\.(mp4|webm|ogv|mov|mkv|3gp)$/i;
// The browser would hold a larger one in memory whenever its note is read.
const pictureBytesMax = 50_000_000;

// The contents that a text names, each once; none for the text of a note that is no file.
export function contentsOf(text) {
  if (!text.startsWith('notesd-file ')) return [];
  const found = text.split('\n').map((row) => line.exec(row)).filter(Boolean);
  return line.test(text.split('\n', 1)[0]) ? [...new Map(found.map(([, hash, bytes]) => [hash, { hash, bytes: Number(bytes) }])).values()] : [];
}

export const isPicture = (name, bytes) => pictures.test(name ?? '') && bytes <= pictureBytesMax;

export const place = (id, hash) => `file/${id}/${hash}`;

// A picture of a note. What cannot be shown is replaced by words.
export function picture({ id, hash, name }, words) {
  const made = element('img', { alt: words, loading: 'lazy', decoding: 'async', src: place(id, hash) });
  made.onerror = () => made.replaceWith(element('span', { className: 'quiet', textContent: `${words || name} cannot be shown: it is damaged, or its bytes are not on this machine.` }));
  return made;
}

// What shows a file: each of its contents, and the description below.
export function fileView({ id, name }, contents, text) {
  const file = (name ?? '').split('/').at(-1) || 'file';
  const many = contents.length > 1 ? [element('p', { textContent: `${contents.length} people gave this file other bytes at once. All are here; notesctl file put settles it.` })] : [];
  const shown = contents.flatMap(({ hash, bytes }) => {
    const src = place(id, hash);
    const seen = isPicture(name, bytes) ? picture({ id, hash, name }, file)
      : sounds.test(file) ? element('audio', { controls: true, preload: 'metadata', src, 'aria-label': file })
        : films.test(file) ? element('video', { controls: true, preload: 'metadata', src, 'aria-label': file }) : null;
    const open = /\.pdf$/i.test(file) ? [' · ', element('a', { href: src, target: '_blank', rel: 'noopener', textContent: 'Open' })] : [];
    return [seen && element('p', {}, seen), element('p', { className: 'quiet' }, `${file}, ${size(bytes)} · `,
      element('a', { href: src, download: file, textContent: 'Download' }), ...open)].filter(Boolean);
  });
  const words = text.split('\n').filter((row) => !line.test(row)).join('\n').trim();
  return [...many, ...shown, ...(words ? [element('p', { className: 'asis', textContent: words })] : [])];
}
