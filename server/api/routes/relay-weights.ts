import { createReadStream } from 'node:fs';
import type { OpenedSource } from '../../../models/core/inference/weight-source.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';
import { WEIGHTS } from '../../../models/registry.ts';
import type { Context } from '../../base/context.ts';
import { openWeightStore, type WeightStore } from '../../runtime/weight-store/index.ts';
import { defineRoute } from '../route.ts';
import { sendFile } from '../send-file.ts';
import { OpenLimit } from '../transport/keyed-limit.ts';
import { streamBody } from '../transport/stream-body.ts';

/** Limit on relays: each holds a connection to a publisher. */
const relays = new OpenLimit(16, 'Too many downloads at a time. Try again in a moment.');
/** Longer than a slow disk needs to write a browser's buffer. */
const STALL_MS = 60_000;

/** Proxies must not transform the bytes, nor cache unchecked ones. */
const CACHE_IMMUTABLE = 'public, no-transform, max-age=31536000, immutable';
const CACHE_NEVER = 'no-transform, no-store';

const activeDownloads = new Map<string, Promise<void>>();

/**
 * A catalogue file for browsers, whose publisher may send no CORS headers. It comes from this machine's store; until it
 * is stored there completely it is passed on from its source, unchecked: browsers check the SHA-256.
 */
export const relayWeights = defineRoute({
  method: 'GET',
  path: '/weights/{sha256}',
  audience: 'pages',
  bucket: 'weights',
  handle: ({ ctx, request, segment }) => sendWeights(ctx, request, segment),
});

export async function sendWeights(
  ctx: Context,
  request: Request,
  sha256: string,
  stallMs = STALL_MS,
): Promise<Response> {
  const card = WEIGHTS.find((each) => each.sha256 === sha256);
  if (!card) {
    throw new OperationError(
      'not_found',
      'No weights have this SHA-256. Reload the page for the current list.',
    );
  }
  const store = openWeightStore(ctx.env);
  const { state, bytes } = await store.state(card);
  if (state !== 'whole' || !(await store.isRight(card))) {
    if (request.method === 'GET') storeForLater(ctx, store, card);
    return relay(request, store, card, stallMs);
  }
  const endUse = store.markUse(card);
  endUse();
  const open = async (range = {}) => createReadStream(store.getPath(card), range);
  return sendFile(ctx, request, { bytes, sha256, headers: getHeaders(card, CACHE_IMMUTABLE), open });
}

/** Stores a correct file for later requests, one download at a time. A failure is reported to the next request. */
function storeForLater(ctx: Context, store: WeightStore, card: WeightCard): void {
  if (activeDownloads.has(card.sha256)) return;
  // Anybody may ask for a file: that deletes none of those that jobs use.
  const options = { signal: new AbortController().signal, onProgress: () => {}, keepsOthers: true };
  const fetched = store
    .removeDamaged(card, options)
    .then(() => store.fetch([card], options))
    .catch((err) => ctx.log.warn({ err, weights: card.id }, 'weights not fetched'))
    .finally(() => activeDownloads.delete(card.sha256));
  activeDownloads.set(card.sha256, fetched);
}

async function relay(
  request: Request,
  store: WeightStore,
  card: WeightCard,
  stallMs: number,
): Promise<Response> {
  const free = relays.acquire();
  try {
    const source = await store.openSource(card, readRangeOffset(request, card), request.signal);
    const { offset } = source;
    const init = { status: offset > 0 ? 206 : 200, headers: partHeaders(card, source) };
    const close = () => {
      source.cancel();
      free();
    };
    if (request.method !== 'HEAD')
      return new Response(streamBody(source.chunks, { request, stallMs, close }), init);
    close();
    return new Response(null, init);
  } catch (thrown) {
    free();
    throw thrown;
  }
}

function partHeaders(card: WeightCard, { offset, bytesTotal }: OpenedSource): Headers {
  const headers = getHeaders(card, CACHE_NEVER);
  const bytes = card.bytes ?? bytesTotal;
  if (bytes !== null) headers.set('content-length', String(bytes - offset));
  if (offset > 0) headers.set('content-range', `bytes ${offset}-${Number(bytes) - 1}/${bytes}`);
  return headers;
}

/** Reads the offset of a range that resumes a broken download: `bytes=N-`. Other ranges are ignored. */
function readRangeOffset({ headers }: Request, { bytes }: WeightCard): number {
  const [, first] = /^bytes=(\d+)-$/.exec(headers.get('range') ?? '') ?? [];
  return first !== undefined && bytes !== null && Number(first) < bytes ? Number(first) : 0;
}

function getHeaders(card: WeightCard, caching: string): Headers {
  return new Headers({
    'cache-control': caching,
    'content-disposition': `attachment; filename="${weightFileName(card)}"`,
    'content-type': 'application/octet-stream',
    // For our own pages: others use the publisher.
    'cross-origin-resource-policy': 'same-origin',
  });
}
