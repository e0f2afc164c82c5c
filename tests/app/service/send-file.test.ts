import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from '../../../scripts/support/chromium.ts';
import { schema } from '../../../server/base/db.ts';
import { type LoopbackService, startLoopbackService } from '../../support/service/loopback-service.ts';

const ENTRY = `
  export { runOnServer } from './server-run.ts';
  export { sendFile } from './send-file.ts';
  export { mediaConvertImage as operation } from '../../../models/media-convert-image/operation.ts';`;

let service: LoopbackService;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  service = await startLoopbackService('<!doctype html><title>Studio</title>');
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(service.url);
  const { outputFiles } = await build({
    stdin: {
      contents: ENTRY,
      resolveDir: fileURLToPath(new URL('../../../app/(studio)/service', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    format: 'iife',
    globalName: 'studio',
    write: false,
    // The page never loads a run, which only a dynamic import reaches.
    external: ['./run.ts'],
  });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

it('a page in a real browser uploads a file and receives its result', async () => {
  const outcome = await page.evaluate<{ fractions: number[]; type: string; bytes: number }>(`(async () => {
    const canvas = new OffscreenCanvas(1200, 900);
    const context = canvas.getContext('2d');
    const noise = context.createImageData(1200, 900);
    for (let at = 0; at < noise.data.length; at += 65536) crypto.getRandomValues(noise.data.subarray(at, at + 65536));
    context.putImageData(noise, 0, 0);
    const file = await canvas.convertToBlob({ type: 'image/png' });
    const fractions = [];
    const { files } = await studio.runOnServer({
      baseUrl: '/api', operation: studio.operation, file,
      params: { to_format: 'jpg' }, signal: new AbortController().signal, sendFile: studio.sendFile,
      onProgress: ({ fraction }) => fractions.push(fraction),
    });
    return { fractions, type: files[0].blob.type, bytes: files[0].blob.size };
  })()`);
  expect(outcome.type).toBe('image/jpeg');
  expect(outcome.bytes).toBeGreaterThan(100_000);
  expect(outcome.fractions).toEqual([...outcome.fractions].sort((a, b) => a - b));
  expect(outcome.fractions.at(-1)).toBe(1);
});

it('aborting an upload closes the request and leaves no row', async () => {
  const uploads = await service.api.ctx.db.$count(schema.uploads);
  const outcome = await page.evaluate<{ message: string; fraction: number }>(`(async () => {
    let fraction = 0;
    const abort = new AbortController();
    const sent = studio.sendFile('/api/uploads', {
      headers: {},
      body: new Blob([new Uint8Array(40_000_000)]),
      signal: abort.signal,
      onProgress: (sent) => {
        fraction = sent;
        abort.abort(new Error('given up'));
      },
    });
    const message = await sent.then(() => 'sent', (error) => error.message);
    return { message, fraction };
  })()`);
  expect(outcome.message).toBe('given up');
  expect(outcome.fraction).toBeGreaterThan(0);
  expect(outcome.fraction).toBeLessThan(1);
  expect(await service.api.ctx.db.$count(schema.uploads)).toBe(uploads);
});
