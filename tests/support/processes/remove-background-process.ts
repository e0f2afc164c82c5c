import { openAsBlob } from 'node:fs';
import type { OPERATIONS } from '../../../models/registry.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createMattingInference } from '../models/matting-inference.ts';
import { readPeakBytes } from './memory.ts';

/**
 * Removes one background, and writes the details with the peak memory of this process. Its arguments are the path of
 * an image, params as JSON, and the path of the background, which may be empty.
 */
export async function serve(operations: typeof OPERATIONS): Promise<void> {
  const [, , path = '', params = '{}', background = ''] = process.argv;
  const runtime = createNodeRuntime({
    signal: new AbortController().signal,
    inference: createMattingInference(['u2netp']),
    attachments: new Map(background ? [['background', await openAsBlob(background)]] : []),
  });
  const { details } = await operations['remove-bg'].execute(
    await openAsBlob(path),
    JSON.parse(params),
    runtime,
  );
  process.stdout.write(JSON.stringify({ ...details, bytesMax: await readPeakBytes(process.pid) }));
}
