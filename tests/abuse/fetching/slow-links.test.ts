// @module-tag long
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../../server/base/log.ts';
import { createProber } from '../../../server/io/probing/index.ts';

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const operationsModule = fileURLToPath(new URL('../../../models/registry.ts', import.meta.url));
const log = createLogger('silent', 'test');
const LINKS = 60;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'slow-links-'));
});
afterAll(() => rm(root, { recursive: true }));

it('the probe of a customer does not wait for the slow ones of many links', async () => {
  const path = join(root, 'slow.amr');
  // Frames of a byte each, as many as are read.
  await writeFile(path, Buffer.concat([Buffer.from('#!AMR\n'), Buffer.alloc(1_000_000, 0xff)]));
  const prober = createProber({ operationsModule });
  const left = new AbortController();
  const { signal } = left;
  let ended = 0;
  const links = Array.from({ length: LINKS }, (_, at) =>
    prober
      .probe({ path, media: ['audio'] }, { owner: `network ${at}`, isLink: true, signal, log })
      .catch(() => {})
      .finally(() => ended++),
  );
  const request = {
    operationId: 'media-convert-image',
    path: fixture('images/camera.jpg'),
    media: ['image' as const],
  };
  expect(await prober.probe(request, { owner: 'customer', signal, log })).toMatchObject({
    mediaType: 'image/jpeg',
  });
  // All eight places would have been taken, and the customer the last in the queue.
  expect(ended).toBeLessThan(LINKS - 20);
  left.abort();
  await Promise.all(links);
});
