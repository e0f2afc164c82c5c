// @module-tag long

import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebProcess, type WebProcess } from '../support/processes/web-process.ts';

const STATIC = resolve(import.meta.dirname, '../../.next/static');

async function gplFiles(): Promise<string[]> {
  const names = await readdir(STATIC, { recursive: true });
  return names.filter((name) => name.includes('ffmpeg-core')).map((name) => `/_next/static/${name}`);
}

describe.each([
  ['on', 200],
  ['off', 404],
] as const)('a service with GPL_ENCODERS=%s', (setting, status) => {
  let service: WebProcess;
  beforeAll(async () => {
    service = await startWebProcess({ GPL_ENCODERS: setting });
  }, 300_000);
  afterAll(() => service?.stop(), 60_000);
  const text = async (path: string) => (await fetch(service.url + path)).text();

  it(`returns ${status} for each file of ffmpeg.wasm`, async () => {
    const paths = await gplFiles();
    expect(paths.length).toBeGreaterThanOrEqual(3);
    for (const path of paths) expect((await fetch(service.url + path)).status).toBe(status);
  });

  it('stores for offline use only the files that it serves', async () => {
    expect((await text('/service-worker.js')).includes('ffmpeg-core')).toBe(status === 200);
  });

  it('offers HEIC in the studio when it can be written', async () => {
    const page = await text('/convert');
    expect(page).toContain('avif');
    // The choices of the form, as the page's own data spell them.
    expect(/\\?"avif\\?",\\?"heic\\?"/.test(page)).toBe(status === 200);
  });
});
