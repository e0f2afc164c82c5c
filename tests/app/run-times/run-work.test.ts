import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { RunWork } from '../../../app/studio/run-times/work-of.ts';

// Types of the tests know no storage of a page.
const MODULE: string = '../../../app/studio/run-times/run-work.ts';

interface RunWorkModule {
  readRunWork(operationId: string, file: Blob, params: object): Promise<RunWork | undefined>;
}

const { readRunWork }: RunWorkModule = await import(MODULE);

test('the header of a file is read once, not for each setting', async () => {
  const picture = sharp({ create: { width: 500, height: 400, channels: 3, background: 'teal' } });
  const file = new Blob([new Uint8Array(await picture.png().toBuffer())]);
  const slice = file.slice.bind(file);
  let reads = 0;
  file.slice = (start, end) => {
    reads += 1;
    return slice(start, end);
  };
  const read = (to_format: string) => readRunWork('media-convert-image', file, { to_format });
  expect(await read('avif')).toMatchObject({ amount: 0.2 });
  const once = reads;
  expect(once).toBeGreaterThan(0);
  expect((await read('webp'))?.kinds.join()).toContain('to_format=webp');
  expect(reads).toBe(once);
});

test('a file that only a device accepts has a time, too', async () => {
  const picture = sharp({ create: { width: 3000, height: 2000, channels: 3, background: 'teal' } });
  const file = new Blob([new Uint8Array(await picture.png().toBuffer())]);
  expect(await readRunWork('image-moderation', file, {})).toMatchObject({ amount: 6 });
});
