import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FORMER_SLUGS } from '../../../app/studio/tools/addresses.ts';

const ORIGIN = 'http://localhost:3000';
const HOME = { id: 'home', urls: ['/'] };

/** Starts the service worker of a build in which the pages of `FORMER_SLUGS` have moved. */
async function startWorker(caches: object) {
  const listeners = new Map<string, (event: object) => void>();
  const moderate = { id: 'moderate', urls: ['/moderate', '/_next/static/a.js'] };
  const self = {
    build: {
      id: 'new',
      pages: ['/', '/moderate'],
      files: [],
      parts: [HOME, moderate],
      renamed: FORMER_SLUGS,
    },
    location: { origin: ORIGIN },
    navigator: {},
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  };
  const redirect = (path: string, status: number) => ({ path, status });
  const response = Object.assign(class {}, { redirect, json: (value: object) => value });
  const script = await readFile(new URL('../../../public/offline.js', import.meta.url), 'utf8');
  runInNewContext(script, { self, caches, Response: response, URL, Set, Map });
  return (type: string, event: object) => listeners.get(type)?.(event);
}

it('a page under its former path opens under the new one, with its query, without a network', async () => {
  const dispatch = await startWorker({});
  const responses: unknown[] = [];
  dispatch('fetch', {
    request: { url: `${ORIGIN}/who-spoke?from=home`, method: 'GET', mode: 'navigate' },
    respondWith: (response: unknown) => responses.push(response),
  });
  expect(responses).toEqual([{ path: '/diarize?from=home', status: 308 }]);
});

it('a tool that works without a network still does when its path changes', async () => {
  const stored: string[] = [];
  const earlier = {
    match: async () => ({ json: async () => [{ id: 'safety', urls: ['/safety'] }] }),
    keys: async () => [{ url: `${ORIGIN}/safety` }],
  };
  const added = {
    put: async (url: string) => stored.push(url),
    add: async (url: string) => stored.push(url),
  };
  const dispatch = await startWorker({
    open: async (name: string) => (name === 'studio-old' ? earlier : added),
    keys: async () => ['studio-old'],
    match: async () => undefined,
  });
  let installed: Promise<void> | undefined;
  dispatch('install', {
    waitUntil: (promise: Promise<void>) => {
      installed = promise;
    },
  });
  await installed;
  expect(stored).toEqual(expect.arrayContaining(['/', '/moderate', '/_next/static/a.js']));
});
