import { openAsBlob } from 'node:fs';
import { removeBg } from '../../models/remove-bg/operation.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import { standInInference } from './stand-in-inference.ts';

/**
 * A process of its own that cuts one picture out and tells the most memory that it held: `<path> <params> <background>`,
 * params as JSON, the background a path or empty.
 */
const [, , path = '', params = '{}', background = ''] = process.argv;
const runtime = createNodeRuntime({
  signal: new AbortController().signal,
  inference: standInInference(['u2netp']),
  attachments: new Map(background ? [['background', await openAsBlob(background)]] : []),
});
const { details } = await removeBg.execute(await openAsBlob(path), JSON.parse(params), runtime);
process.stdout.write(JSON.stringify({ ...details, bytesMax: process.resourceUsage().maxRSS * 1024 }));
