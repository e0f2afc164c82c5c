import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { download, RetryWindow } from '../../../../server/io/fetching/index.ts';
import { type HttpTarget, startHttpTarget } from '../../../support/servers/http-target.ts';

const PICTURE = randomBytes(300_000);
const HALF = 100_000;

type Respond = (response: ServerResponse, request: IncomingMessage) => unknown;

let directory: string;
let target: HttpTarget;
/** Responses in turn; the last one repeats. */
let script: readonly Respond[];
let requests: IncomingMessage[];
beforeEach(async () => {
  requests = [];
  directory = await mkdtemp(join(tmpdir(), 'retries-'));
  target = await startHttpTarget((request, response) => {
    requests.push(request);
    (script[requests.length - 1] ?? script.at(-1))?.(response, request);
  });
});
afterEach(async () => {
  await target.stop();
  await rm(directory, { recursive: true });
});

const whole: Respond = (response) => response.end(PICTURE);
const refuse =
  (status: number, headers = {}): Respond =>
  (response) =>
    response.writeHead(status, headers).end();
/** The server asks for no pause, so that the test needs none. */
const NOW = { 'retry-after': '0' };
const reset: Respond = (response) => response.socket?.resetAndDestroy();
const cut =
  (headers = {}): Respond =>
  (response) => {
    response.writeHead(200, { 'content-length': PICTURE.length, ...headers });
    response.write(PICTURE.subarray(0, HALF), () => setTimeout(() => response.socket?.destroy(), 20));
  };
const rest =
  (headers = {}): Respond =>
  (response) =>
    response
      .writeHead(206, {
        'content-range': `bytes ${HALF}-${PICTURE.length - 1}/${PICTURE.length}`,
        ...headers,
      })
      .end(PICTURE.subarray(HALF));

let counted = 0;
async function fetchPicture(retries: RetryWindow | null = new RetryWindow(), more = {}) {
  counted = 0;
  const path = join(directory, 'file');
  const saved = await download(`http://127.0.0.1:${target.port}/picture`, {
    allowNetworks: ['127.0.0.1/32'],
    owner: 'tester',
    signal: new AbortController().signal,
    path,
    bytesMax: 1_000_000,
    count: (bytes: number) => {
      counted += bytes;
    },
    ...(retries && { retries }),
    ...more,
  });
  expect(PICTURE.equals(await readFile(path))).toBe(true);
  expect(saved.sha256).toEqual(createHash('sha256').update(PICTURE).digest());
  expect([saved.bytes, counted]).toEqual([PICTURE.length, PICTURE.length]);
}

describe('a fault that may pass is tried again', () => {
  test.each([408, 425, 429, 500, 502, 503, 504, 507])('status %i', async (status) => {
    script = [refuse(status, NOW), refuse(status, NOW), whole];
    await fetchPicture();
    expect(requests).toHaveLength(3);
  });

  test.each([
    ['a reset', reset, {}],
    ['half of the bytes', cut(), {}],
    ['no bytes for a while', () => {}, { timeouts: { headersMs: 200 } }],
    [
      'a transfer that stalls',
      (response: ServerResponse) => response.writeHead(200).write('half'),
      { timeouts: { stallMs: 200 } },
    ],
  ] as const)('%s', async (_name, respond, more) => {
    script = [respond, whole];
    await fetchPicture(new RetryWindow(), more);
    expect(requests.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
  });

  test('after the seconds of Retry-After, or at its date', async () => {
    const date = new Date(Date.now() + 1_000).toUTCString();
    script = [refuse(503, { 'retry-after': '1' }), refuse(503, { 'retry-after': date }), whole];
    await fetchPicture();
  });
});

describe('a transfer that broke off', () => {
  test.each([
    ['an ETag', { etag: '"v1"' }, '"v1"'],
    ['Last-Modified', { 'last-modified': 'Sun, 01 Nov 2026 08:00:00 GMT' }, 'Sun, 01 Nov 2026 08:00:00 GMT'],
  ])('continues where it ended, by %s', async (_name, headers, validator) => {
    script = [cut(headers), rest(headers)];
    await fetchPicture();
    expect(requests[1]?.headers).toMatchObject({ range: `bytes=${HALF}-`, 'if-range': validator });
  });

  test.each([
    ['without a validator', {}],
    ['with a weak ETag', { etag: 'W/"v1"' }],
    ['of another version', { etag: '"v1"' }],
  ])('starts again where the server sends the whole, %s', async (_name, headers) => {
    script = [cut(headers), whole];
    await fetchPicture();
  });

  test.each([
    ['416', refuse(416)],
    ['another range', rest({ 'content-range': 'bytes 5-9/10' })],
  ])('starts again after a response that does not fit: %s', async (_name, respond) => {
    script = [cut({ etag: '"v1"' }), respond, whole];
    await fetchPicture();
    expect(requests[2]?.headers.range).toBeUndefined();
  });
});

describe('source_unavailable', () => {
  const fails = (more?: object, retries?: RetryWindow) =>
    fetchPicture(retries, more).then(
      () => undefined,
      (thrown) => thrown,
    );

  test('comes after three tries, says that it is worth repeating, and leaves no file', async () => {
    script = [refuse(503, NOW)];
    const error = await fails();
    expect(error).toMatchObject({ code: 'source_unavailable', retryAfterSeconds: 1 });
    expect(error.message).toMatch(/^the server responded with status 503 .*tried 3 times.* may succeed/);
    expect(requests).toHaveLength(3);
    expect(await readdir(directory)).toEqual([]);
  });

  test('comes at once for a longer Retry-After than 30 s', async () => {
    script = [refuse(503, { 'retry-after': '31' })];
    const error = await fails();
    expect(error).toMatchObject({ code: 'source_unavailable', retryAfterSeconds: 31 });
    expect(error.message).toContain('It was tried once: ');
    expect(requests).toHaveLength(1);
  });

  test('comes at once where the pauses of a request fill their minute', async () => {
    const retries = new RetryWindow();
    expect([retries.hasRoomFor(60_000), retries.hasRoomFor(60_001)]).toEqual([true, false]);
    script = [refuse(503, { 'retry-after': '30' })];
    const used = new RetryWindow();
    used.hasRoomFor(0);
    const late = { hasRoomFor: (pauseMs: number) => used.hasRoomFor(pauseMs + 40_000) } as RetryWindow;
    expect(await fails({}, late)).toMatchObject({ code: 'source_unavailable' });
    expect(requests).toHaveLength(1);
  });
});

describe('a fault that lasts ends the fetch at once', () => {
  test.each([400, 401, 403, 404, 410, 451, 501, 505])('status %i', async (status) => {
    script = [refuse(status, NOW)];
    await expect(fetchPicture()).rejects.toMatchObject({ code: 'bad_request' });
    expect(requests).toHaveLength(1);
  });

  test('and so does any, without retries', async () => {
    script = [refuse(503, NOW), whole];
    await expect(fetchPicture(null)).rejects.toMatchObject({ code: 'bad_request' });
    expect(requests).toHaveLength(1);
  });
});

test('a fetch that pauses holds no slot, and ends with its signal', async () => {
  const stop = new AbortController();
  script = [refuse(503, { 'retry-after': '30' })];
  const waiting = Array.from({ length: 16 }, () =>
    fetchPicture(new RetryWindow(), { signal: stop.signal }).catch((thrown) => thrown.message),
  );
  await expect.poll(() => requests.length).toBe(16);
  script = [whole];
  await fetchPicture();
  stop.abort(new Error('left'));
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['left']));
});
