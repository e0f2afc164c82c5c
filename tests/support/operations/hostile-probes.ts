import { tmpdir } from 'node:os';
import { z } from 'zod';
import { defineOperation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import { makeOwnFolder } from '../../../server/base/own-folders.ts';

/** Probes as the first word of a file says. */
async function probe(input: Blob): Promise<InputFacts> {
  switch (await input.slice(0, 4).text()) {
    case 'spin':
      for (;;) Math.sqrt(2);
    case 'hog ':
      // One array beyond the heap limit: of a worker thread, it would end the whole process.
      for (const kept: number[] = []; ; ) kept.push(1.5);
    case 'keep':
      makeOwnFolder(tmpdir());
      return await new Promise(() => {});
    case 'bad ':
      throw new OperationError('bad_request', 'The file is damaged.');
    case 'bug ':
      throw new TypeError('cannot read properties of undefined');
    default:
      return { mediaType: 'image/png' };
  }
}

/** An operation whose probe behaves as badly as a hostile file can make a reader behave. */
export const OPERATIONS = {
  'test-probe': defineOperation({
    id: 'test-probe',
    title: 'Test',
    summary: 'Probes as told.',
    path: '/test',
    authentication: 'bearer',
    inputs: { image_url: { media: ['image'], encoding: 'url', description: 'Any file.' } },
    params: z.strictObject({}),
    lane: 'interactive',
    limits: { inputBytesMax: 1_000_000, runSecondsMax: 30, memoryBytesMax: 600_000_000 },
    probe,
    rates: {},
    price: () => 2_000n,
    testResult: () => ({ files: [] }),
    load: async () => ({ run: async () => ({ files: [], engine: 'none', warnings: [] }) }),
  }),
};
