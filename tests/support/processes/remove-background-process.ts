import { openAsBlob } from 'node:fs';
import { removeBg } from '../../../models/remove-bg/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';
import { createMattingInference } from '../models/matting-inference.ts';
import { readPeakBytes } from './memory.ts';

/**
 * Process that removes one background and reports its peak memory: `<path> <params> <background>`, params as JSON,
 * the background a path or empty.
 */
const [, , path = '', params = '{}', background = ''] = process.argv;
const runtime = createNodeRuntime({
  signal: new AbortController().signal,
  inference: createMattingInference(['u2netp']),
  attachments: new Map(background ? [['background', await openAsBlob(background)]] : []),
});
const { details } = await removeBg.execute(await openAsBlob(path), JSON.parse(params), runtime);
process.stdout.write(JSON.stringify({ ...details, bytesMax: await readPeakBytes(process.pid) }));
