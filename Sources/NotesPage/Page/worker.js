// Opens the page without the server. With it, each file comes from there, so that the page is the newest.
const files = ['/', '/page.css', '/page.js', '/elements.js', '/list.js', '/note.js', '/reader.js', '/file.js', '/upload.js', '/side.js', '/attach.js', '/kept.js', '/surface.js',
  '/icon.svg', '/page.webmanifest'];
// After a failure, the files of one page come from the cache, so that they fit together.
let offlineUntil = 0;

addEventListener('install', (event) => {
  event.waitUntil(caches.open('page').then((cache) => cache.addAll(files)).then(() => skipWaiting()));
});
addEventListener('activate', (event) => event.waitUntil(clients.claim()));

addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || !files.includes(pathname)) return;
  event.respondWith(answer(pathname));
});

async function answer(pathname) {
  const cache = await caches.open('page');
  if (Date.now() > offlineUntil) {
    try {
      const response = await fetch(pathname, { signal: AbortSignal.timeout(3_000) });
      if (response.ok) {
        await cache.put(pathname, response.clone());
        return response;
      }
    } catch {}
    offlineUntil = Date.now() + 5_000;
  }
  return await cache.match(pathname) ?? Response.error();
}
