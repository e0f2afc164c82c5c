import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { expect, test } from 'vitest';

const PROGRAM = 'tests/support/remove-background-process.ts';
const SIDE = 8000;

test('the largest image that is taken needs less than 2 GB', { timeout: 180_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'remove-bg-memory-'));
  const path = join(directory, 'large.jpg');
  const subject = sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#ff0020' } });
  await sharp({ create: { width: SIDE, height: SIDE, channels: 3, background: '#00a020' } })
    .composite([{ input: await subject.png({ compressionLevel: 1 }).toBuffer(), left: 2000, top: 2000 }])
    .jpeg()
    .toFile(path);
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', PROGRAM, path]);
  const { bytesMax, ...details } = JSON.parse(stdout) as { bytesMax: number };
  expect(details).toEqual({ original_size: '8000x8000', subjects_detected: 1, matte_quality: 'high' });
  expect(bytesMax).toBeLessThan(2_000_000_000);
  await rm(directory, { recursive: true });
});
