import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { defineOperation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import type { Runtime } from '../../../models/core/runtime/runtime.ts';

const paramsSchema = z.strictObject({
  behaviour: z.enum([
    'copy',
    'slow',
    'spin',
    'hog',
    'gulp',
    'crash',
    'crash-once',
    'corrupt',
    'broken',
    'exit',
    'environment',
    'full-disk',
    'read',
  ]),
  /** Files that it tries to read. */
  paths: z.array(z.string()).default([]),
  /** File that records that a run has begun, and its process. */
  mark: z.string().optional(),
  durationMs: z.number().default(0),
});
type Params = z.output<typeof paramsSchema>;

/** Tells whether a file or folder can be read: `read`, or the code of the error. */
function tryToRead(path: string): string {
  try {
    if (statSync(path).isDirectory()) readdirSync(path);
    else readFileSync(path);
    return 'read';
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? '';
  }
}

async function run(input: Blob, { behaviour, mark, durationMs, paths }: Params, { progress }: Runtime) {
  const isFirst = mark !== undefined && !existsSync(mark);
  if (mark !== undefined) writeFileSync(mark, String(process.pid));
  switch (behaviour) {
    case 'slow':
      for (let passedMs = 0; passedMs < durationMs; passedMs += 50) {
        progress({ fraction: passedMs / durationMs });
        await wait(50);
      }
      break;
    case 'spin':
      for (;;) Math.sqrt(2);
    case 'hog':
      for (const kept: Buffer[] = []; ; await wait(50)) kept.push(Buffer.alloc(20_000_000, 1));
    case 'gulp':
      new Uint8Array(4_000_000_000).fill(1);
      break;
    case 'crash-once':
      if (!isFirst) break;
      process.kill(process.pid, 'SIGSEGV');
      await wait(10_000);
      break;
    case 'crash':
      process.kill(process.pid, 'SIGSEGV');
      await wait(10_000);
      break;
    case 'corrupt':
      await wait(durationMs);
      throw new OperationError('unprocessable', 'The image is damaged.');
    case 'broken':
      throw new TypeError('cannot read properties of undefined');
    case 'environment':
      return { files: [], engine: Object.keys(process.env).toSorted().join(), warnings: [] };
    case 'read':
      return { files: [], engine: paths.map(tryToRead).join(), warnings: [] };
    case 'full-disk':
      if (isFirst) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      break;
    case 'exit':
      process.exit(3);
  }
  const files = [{ name: 'copy.bin', mediaType: 'application/octet-stream', blob: input }];
  return { files, engine: 'copy', warnings: [] };
}

/** Operations that misbehave as a decoder can with a hostile file. */
export const OPERATIONS = {
  'test-run': defineOperation({
    id: 'test-run',
    title: 'Test',
    summary: 'Behaves as told.',
    path: '/test',
    authentication: 'bearer',
    inputs: { file_url: { media: ['image'], encoding: 'url', description: 'Any file.' } },
    params: paramsSchema,
    lane: ({ durationSeconds = 0 }) => (durationSeconds >= 60 ? 'long' : 'interactive'),
    limits: { inputBytesMax: 1_000_000, runSecondsMax: 30, memoryBytesMax: 600_000_000 },
    probe: async (): Promise<InputFacts & { durationSeconds?: number; memoryBytes?: number }> => ({
      mediaType: 'image/png',
    }),
    limitsFor: ({ durationSeconds, memoryBytes }) => ({
      ...(durationSeconds && { runSecondsMax: durationSeconds }),
      ...(memoryBytes && { memoryBytesMax: memoryBytes }),
    }),
    batch: { itemsMax: 1, shared: [] },
    rates: {},
    price: () => 2_000n,
    testResult: () => ({ files: [] }),
    load: async () => ({ run }),
  }),
};
