// @module-tag long

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCompiled } from '../../support/processes/run-compiled.ts';

const PROGRAM = 'tests/support/processes/remove-background-process.ts';
const SIDE = 8000;
const BACKGROUND = 'https://example.com/background.jpg';

let directory: string;
const picture = () => join(directory, 'large.jpg');

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'remove-bg-memory-'));
  const subject = sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#ff0020' } });
  await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#00a020' } })
    .composite([{ input: await subject.png({ compressionLevel: 1 }).toBuffer(), left: 2000, top: 2000 }])
    .jpeg()
    .toFile(picture());
}, 120_000);

afterAll(() => rm(directory, { recursive: true }));

interface Wanted {
  readonly output_format: string;
  readonly background?: string;
}

/** Params, and the limit on the peak memory in MB. */
const CASES: readonly (readonly [Wanted, number])[] = [
  [{ output_format: 'png' }, 600],
  [{ output_format: 'webp', background: 'linear-gradient(45deg, #fff 10%, rgb(0 0 255 / 50%))' }, 920],
  [{ output_format: 'jpeg', background: BACKGROUND }, 670],
  [{ output_format: 'webp', background: BACKGROUND }, 920],
];

describe('the peak memory for the largest accepted image', () => {
  test.each(CASES)('as %j stays below %i MB', { timeout: 300_000 }, async (params, megabytesMax) => {
    const background = params.background === BACKGROUND ? picture() : '';
    const output = await runCompiled(PROGRAM, [picture(), JSON.stringify(params), background]);
    const { bytesMax, ...details } = JSON.parse(output) as { bytesMax: number };
    expect(details).toEqual({
      original_size: '8000x8000',
      subjects_detected: 1,
      matte_quality: 'high',
      matte_doubt: null,
    });
    expect(bytesMax).toBeLessThan(megabytesMax * 1e6);
  });
});
