// The service worker of the studio: pages that were cached open and run without a network.
// `build` is set by /service-worker.js (app/offline/offline-build.ts), which changes with every build: that is how
// browsers notice a new version. The old version continues to serve until its last tab is closed, with its own files.
/** @type {{ id: string, pages: string[], files: { url: string }[], parts: { id: string, urls: string[] }[], renamed: Record<string, string> }} */
const { id, files, parts, renamed } = self.build;
const PREFIX = 'studio-';
const CACHE = PREFIX + id;
/** Path of a cache's own list of parts, for the version that replaces it. */
const PARTS = '/offline/parts';
/** Page for whatever is not cached. */
const FALLBACK = '/offline';
/** Paths that are no pages: responses for programs, results and assets. */
const FILES = /^\/(api|cdn|_next|samples|vendor)\//;
/** Header of a page's requests for files that it caches itself. */
const COPY = 'offline-copy';
/** The names of files below this path change with what they do. A hint to the compiler (server/ops/build/hint-script-compilation.ts) may differ. */
const STATIC = '/_next/static/';
/** Share target of the manifest, and where its files wait for the home page (use-incoming-files.ts). */
const SHARE = '/share';
const SHARED_CACHE = 'shared';
const SHARED_FILES_MAX = 100;
const SHARED_BYTES_MAX = 500_000_000;
/** Room for the links that the page fetches at a time. */
const SHARED_TEXT_CHARACTERS_MAX = 100_000;
const [home] = parts;
const fileUrls = new Set(files.map(({ url }) => url));
/** Paths of pages that have moved, with those that replace them. */
const moved = new Map(Object.entries(renamed).map(([former, today]) => [`/${former}`, `/${today}`]));

self.addEventListener('install', (event) => event.waitUntil(install()));

/** Caches the first part, and the parts that an older version has: what was available offline stays so. */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.put(PARTS, Response.json(parts));
  const before = await readyBefore();
  const isSaving = Boolean(self.navigator.connection?.saveData);
  const urls = new Set(
    parts.filter((part) => part === home || before.has(part.id)).flatMap(({ urls }) => urls),
  );
  await Promise.all([...urls].map((url) => keep(cache, url, isSaving && !home.urls.includes(url))));
}

/** Returns the ids of the parts that are complete in an older version's cache. */
async function readyBefore() {
  const ready = new Set();
  for (const name of await olderCaches()) {
    const cache = await caches.open(name);
    const list = await cache.match(PARTS);
    const urls = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    for (const part of list ? await list.json() : []) {
      if (part.urls.every((url) => urls.has(url))) ready.add(renamed[part.id] ?? part.id);
    }
  }
  return ready;
}

async function olderCaches() {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(PREFIX) && name !== CACHE);
}

/** Caches one URL: out of an older version's cache where the file is the same, else from the server. */
async function keep(cache, url, isCopyOnly) {
  const stored = url.startsWith(STATIC) && (await caches.match(url, { ignoreVary: true }));
  if (stored) await cache.put(url, stored);
  else if (!isCopyOnly) await cache.add(url);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(olderCaches().then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

// Pages cache further parts themselves (app/offline/cache-files.ts) and ask for the list of them.
self.addEventListener('message', ({ data, ports: [port] }) => {
  if (data === 'describe') port?.postMessage(self.build);
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === 'POST' && url.pathname === SHARE) return event.respondWith(receiveShare(request));
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate' && moved.has(url.pathname))
    event.respondWith(Response.redirect(moved.get(url.pathname) + url.search, 308));
  // A page that is not cached says in our words that it needs the internet.
  else if (request.mode === 'navigate' && !FILES.test(url.pathname)) event.respondWith(networkFirst(request));
  // A page that caches a file itself watches it arrive.
  else if (fileUrls.has(url.pathname) && !request.headers.has(COPY)) event.respondWith(cacheFirst(event));
});

async function networkFirst(request) {
  try {
    return await fetch(request);
  } catch (offline) {
    const cache = await caches.open(CACHE);
    const cached = (await cache.match(new URL(request.url).pathname)) ?? (await cache.match(FALLBACK));
    if (cached) return cached;
    throw offline;
  }
}

/** Responds from the cache. Caches what is missing: a tool that was used once has all that it needed. */
async function cacheFirst(event) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(event.request, { ignoreSearch: true, ignoreVary: true });
  const response = cached ?? (await fetch(event.request));
  // Where storage is full the page works without.
  if (!cached && response.ok) event.waitUntil(cache.put(event.request, response.clone()).catch(() => {}));
  // Of responses as they are, browsers keep the compiled code for the next visit.
  return event.request.destination === 'worker' ? withoutUrl(response) : response;
}

/** A response that has its own URL takes the fragment from a worker's, where its parameters are. */
function withoutUrl({ body, status, statusText, headers }) {
  return new Response(body, { status, statusText, headers });
}

/** Hands what another app shares to the home page. It goes no further than this browser. */
async function receiveShare(request) {
  try {
    const form = await request.formData();
    const files = form.getAll('files').filter((file) => file instanceof File && file.size > 0);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const text = ['title', 'text', 'url'].map((name) => form.get(name) ?? '').join('\n');
    const isTooLarge = bytes > SHARED_BYTES_MAX || text.length > SHARED_TEXT_CHARACTERS_MAX;
    if (files.length > SHARED_FILES_MAX || isTooLarge) return backHome('too-large');
    await caches.delete(SHARED_CACHE);
    const cache = await caches.open(SHARED_CACHE);
    await Promise.all(files.map((file, place) => cache.put(`/shared/${place}`, responseOf(file))));
    await cache.put('/shared/text', new Response(text));
    return backHome('files');
  } catch {
    return backHome('failed');
  }
}

function backHome(outcome) {
  return Response.redirect(`/?shared=${outcome}`, 303);
}

function responseOf(file) {
  return new Response(file, {
    headers: {
      'content-type': file.type || 'application/octet-stream',
      'file-name': encodeURIComponent(file.name),
      'file-time': String(file.lastModified),
    },
  });
}
