// The service worker of the studio: after one visit its pages open and convert without a network.
// `build` is set by /service-worker.js, which changes with every build: that is how browsers notice a new version.
// The old version goes on serving until its last tab is closed, with the files it began with.
/** @type {{ id: string, pages: string[], files: string[], codecs: string[] }} */
const { id, pages, files, codecs } = self.build;
const PREFIX = 'studio-';
const CACHE = PREFIX + id;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([...pages, ...files])));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches.keys().then((names) => {
      const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      return Promise.all(old.map((name) => caches.delete(name)));
    }),
  );
});

// The codecs are large: they are fetched when a page has nothing else to do, and only what is missing.
self.addEventListener('message', (event) => {
  if (event.data === 'keep-codecs') event.waitUntil(keepCodecs());
});

async function keepCodecs() {
  const cache = await caches.open(CACHE);
  for (const codec of codecs) {
    if (!(await cache.match(codec))) await cache.add(codec);
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && pages.includes(url.pathname)) event.respondWith(networkFirst(request));
  else if (files.includes(url.pathname) || codecs.includes(url.pathname))
    event.respondWith(cacheFirst(request));
});

async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch (offline) {
    const kept = await caches.match(new URL(request.url).pathname, { cacheName: CACHE });
    if (kept) return kept;
    throw offline;
  }
}

/** The names of these files change with their content, so what is kept is always right. */
async function cacheFirst(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true, ignoreVary: true });
  if (kept) return withoutAddress(kept);
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return withoutAddress(response);
}

/** A response that has an address of its own takes the fragment from a worker's, where its parameters stand. */
function withoutAddress({ body, status, statusText, headers }) {
  return new Response(body, { status, statusText, headers });
}
