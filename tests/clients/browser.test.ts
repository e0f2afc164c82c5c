import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isNull } from 'drizzle-orm';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { launchChromium } from '../../lab/support/chromium.ts';
import { schema } from '../../server/base/database/db.ts';
import { type LoopbackService, startLoopbackService } from '../support/service/loopback-service.ts';

const ENTRY = `
  export { createClient } from './clients/typescript/src/index.ts';
  export { fetchWithProgress } from './clients/typescript/src/browser.ts';
  export { runJob } from './app/studio/runs/server-run.ts';
  export { mediaConvertImage as operation } from './models/operations/convert/operation.ts';`;
const BYTES = 40_000_000;

let service: LoopbackService;
let browser: Browser;
let script: string;
let page: Page;
beforeAll(async () => {
  service = await startLoopbackService('<!doctype html><title>Studio</title>', { isSignedIn: false });
  browser = await launchChromium();
  const { outputFiles } = await build({
    stdin: {
      contents: ENTRY,
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    format: 'iife',
    globalName: 'studio',
    write: false,
    // The page never loads a run, which only a dynamic import reaches.
    external: ['./run.ts'],
  });
  script = outputFiles[0]?.text ?? '';
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});
beforeEach(async () => {
  page = await openPage();
});

/** Opens a page of the service, in a browser that has the session of the account's owner. */
async function openPage({ isSignedIn = true } = {}): Promise<Page> {
  const context = await browser.newContext();
  const pairs = service.cookie.split('; ').map((pair) => pair.split(/=(.*)/s));
  const cookies = pairs.map(([name = '', value = '']) => ({ name, value, url: service.url }));
  if (isSignedIn) await context.addCookies(cookies);
  const opened = await context.newPage();
  await opened.goto(service.url);
  await opened.addScriptTag({ content: script });
  return opened;
}

const CLIENT = `studio.createClient({
  apiKey: null, origin: location.origin, fetch: studio.fetchWithProgress,
})`;

it('a page uploads a file with the session of its visitor, who pays for the job and receives its result', async () => {
  const outcome = await page.evaluate<{ fractions: number[]; type: string; bytes: number }>(`(async () => {
    const canvas = new OffscreenCanvas(1200, 900);
    const context = canvas.getContext('2d');
    const noise = context.createImageData(1200, 900);
    for (let at = 0; at < noise.data.length; at += 65536) crypto.getRandomValues(noise.data.subarray(at, at + 65536));
    context.putImageData(noise, 0, 0);
    const file = await canvas.convertToBlob({ type: 'image/png' });
    const fractions = [];
    const { files } = await studio.runJob({
      origin: location.origin, fetch: studio.fetchWithProgress, operation: studio.operation, file,
      params: { to_format: 'jpg' }, signal: new AbortController().signal,
      onProgress: ({ fraction }) => fractions.push(fraction),
    });
    return { fractions, type: files[0].blob.type, bytes: files[0].blob.size };
  })()`);
  expect(outcome.type).toBe('image/jpeg');
  expect(outcome.bytes).toBeGreaterThan(100_000);
  expect(outcome.fractions).toEqual([...outcome.fractions].sort((a, b) => a - b));
  expect(outcome.fractions.at(-1)).toBe(1);
  const [job] = await service.api.ctx.db.select().from(schema.jobs);
  expect(job).toMatchObject({ accountId: service.api.accountId, keyId: null });
});

it('a page without a session is refused, in the words of the service', async () => {
  const stranger = await openPage({ isSignedIn: false });
  const thrown = await stranger.evaluate(
    `${CLIENT}.wallet().catch(({ name, code, title }) => [name, code, title])`,
  );
  expect(thrown).toEqual(['AuthenticationError', 'unauthorized', 'Unauthorized']);
});

it('a large file goes in parts, and each byte is told while it is sent', { tags: ['long'] }, async () => {
  const told = await page.evaluate<{ sentBytes: number; totalBytes: number }[]>(`(async () => {
    const told = [];
    await ${CLIENT}.upload(new Blob([new Uint8Array(${BYTES})]), undefined, (progress) => told.push(progress));
    return told;
  })()`);
  const sent = told.map(({ sentBytes }) => sentBytes);
  expect(new Set(told.map(({ totalBytes }) => totalBytes))).toEqual(new Set([BYTES]));
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  expect(sent.at(-1)).toBe(BYTES);
  // Besides the end of each part.
  expect(sent.some((bytes) => bytes < BYTES && bytes % (16 * 1024 * 1024) !== 0)).toBe(true);
});

it('aborting an upload closes the request and deletes what has arrived', async () => {
  // The row of a deleted upload stays, without bytes, until its hash may go.
  const countStored = () => service.api.ctx.db.$count(schema.uploads, isNull(schema.uploads.deletedAt));
  const uploads = await countStored();
  const outcome = await page.evaluate<{ message: string; sentBytes: number }>(`(async () => {
    let sentBytes = 0;
    const abort = new AbortController();
    const sent = ${CLIENT}.upload(new Blob([new Uint8Array(${BYTES})]), abort.signal, (progress) => {
      sentBytes = progress.sentBytes;
      abort.abort(new Error('given up'));
    });
    const message = await sent.then(() => 'sent', (error) => error.message);
    return { message, sentBytes };
  })()`);
  expect(outcome.message).toBe('given up');
  expect(outcome.sentBytes).toBeGreaterThan(0);
  expect(outcome.sentBytes).toBeLessThan(BYTES);
  expect(await countStored()).toBe(uploads);
});

it('a page of another origin uploads with a key, and reads its refusals and results', async () => {
  const site = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Shop</title>'),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => site.once('listening', resolve));
  try {
    const shop = await browser.newPage();
    await shop.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
    await shop.addScriptTag({ content: script });
    const outcome = await shop.evaluate<object>(`(async () => {
      const open = (apiKey) => studio.createClient({ apiKey, origin: '${service.url}', fetch: studio.fetchWithProgress });
      const client = open('${service.api.apiKey}');
      let sentBytes = 0;
      await client.upload(new Blob([new Uint8Array(17 * 1024 * 1024)]), undefined, (told) => { sentBytes = told.sentBytes; });
      const image = await new OffscreenCanvas(8, 6).getContext('2d').canvas.convertToBlob({ type: 'image/png' });
      const { output } = await client.run('media-convert-image', image, { to_format: 'webp' });
      const result = await (await client.download(output.media_url[0])).blob();
      const refusal = await open('mk_unknown').wallet().catch(({ name, code, traceId }) => [name, code, typeof traceId]);
      return { sentBytes, type: result.type, refusal };
    })()`);
    expect(outcome).toEqual({
      sentBytes: 17 * 1024 * 1024,
      type: 'image/webp',
      refusal: ['AuthenticationError', 'unauthorized', 'string'],
    });
  } finally {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  }
});
