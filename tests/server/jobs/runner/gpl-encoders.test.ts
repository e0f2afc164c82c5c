import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { OPERATIONS } from '../../../../models/registry.ts';
import { startChild } from '../../../../server/jobs/runs/child-process.ts';

const { limits } = OPERATIONS['media-convert-image'];
const operationsModule = fileURLToPath(new URL('../../../../models/registry.ts', import.meta.url));
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'gpl-encoders-'));
  const image = sharp({ create: { width: 16, height: 16, channels: 3, background: '#c7321b' } });
  await writeFile(join(root, 'input'), await image.png().toBuffer());
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rm(root, { recursive: true }));

async function convertInChild(to_format: string) {
  const child = startChild({ operationsModule, memoryBytesMax: limits.memoryBytesMax });
  const request = {
    operationId: 'media-convert-image',
    params: { to_format },
    inputPath: join(root, 'input'),
    attachmentPaths: {},
    outputDirectory: root,
  };
  const signal = new AbortController().signal;
  try {
    await child.ready;
    return await child.run(request, { limits, signal, onProgress: () => {}, modelBytes: 0 });
  } finally {
    child.kill();
  }
}

test.each([
  ['on', 'heic', { kind: 'done' }],
  [
    'off',
    'heic',
    { kind: 'failed', code: 'unprocessable', message: expect.stringMatching(/^heic needs a GPL/) },
  ],
  ['off', 'webp', { kind: 'done' }],
])('a child with GPL_ENCODERS=%s encodes %s only when it is on', async (setting, format, end) => {
  vi.stubEnv('GPL_ENCODERS', setting);
  expect(await convertInChild(format)).toMatchObject(end);
});
