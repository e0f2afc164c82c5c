// @module-tag long

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PROGRAM = 'tests/support/processes/rewrite-video-process.ts';
const FRAMES = 600;
const SIDE = 720;

test('a video with 1.2 GB of frames needs less than half of that memory', { timeout: 180_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...['--import', 'tsx', PROGRAM],
    ...[FRAMES, SIDE].map(String),
  ]);
  const { count, bytesMax } = JSON.parse(stdout) as { count: number; bytesMax: number };
  expect(count).toBe(FRAMES);
  expect(FRAMES * SIDE * SIDE * 4).toBeGreaterThan(1_200_000_000);
  expect(bytesMax).toBeLessThan(600_000_000);
});
