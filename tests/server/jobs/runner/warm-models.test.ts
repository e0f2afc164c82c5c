// @module-tag long

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChild } from '../../../../server/jobs/runs/child-process.ts';
import { OPERATIONS } from '../../../support/operations/test-operations.ts';

const { limits } = OPERATIONS['test-run'];
/** Less than any Node process holds. */
const TOO_LITTLE = { ...limits, memoryBytesMax: 1_000_000 };
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'warm-networks-'));
  await writeFile(join(root, 'input'), 'some bytes');
});

afterAll(() => rm(root, { recursive: true }));

/** Run that holds hardly any memory, in a process that does. */
async function run(modelBytes: number) {
  const child = startChild({
    operationsModule: fileURLToPath(
      new URL('../../../support/operations/test-operations.ts', import.meta.url),
    ),
    memoryBytesMax: limits.memoryBytesMax,
  });
  try {
    await child.ready;
    return await child.run(
      {
        operationId: 'test-run',
        params: { behaviour: 'slow', durationMs: 1_000 },
        inputPath: join(root, 'input'),
        attachmentPaths: {},
        outputDirectory: root,
      },
      { limits: TOO_LITTLE, signal: new AbortController().signal, onProgress: () => {}, modelBytes },
    );
  } finally {
    child.kill();
  }
}

describe('the memory of a run', () => {
  test('does not include the models that earlier runs left warm', async () => {
    expect(await run(2_000_000_000)).toMatchObject({ kind: 'done', modelBytes: 0 });
  });

  test('is limited where no models are warm', async () => {
    expect(await run(0)).toMatchObject({ kind: 'over-memory' });
  });
});
