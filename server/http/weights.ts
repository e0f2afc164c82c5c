import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { OperationError } from '../../models/errors.ts';
import { isOperationId } from '../../models/registry.ts';
import { WEIGHTS } from '../../models/weights/catalog.ts';
import { type WeightCard, weightFileName } from '../../models/weights/weight-card.ts';
import type { Context } from '../context.ts';
import { openWeightStore, type WeightStore } from '../runtime/weight-store/index.ts';
import { bodyOf, sendFile } from './send-file.ts';

/** What is passed on at the same time in this process: each holds a connection to a publisher. */
const PASSED_ON_MAX = 16;
let passedOn = 0;

/** No proxy is to take bytes apart, or to keep for good any that nobody has checked. */
const FOR_EVER = 'public, no-transform, max-age=31536000, immutable';
const UNCHECKED = 'no-transform, no-store';

const keeping = new Map<string, Promise<void>>();

/**
 * GET /weights/<sha256>: a file for browsers from the catalogue of what is offered, whose publishers may not let them in. It comes from this
 * machine's store; until it lies there whole and right it is passed on from its source, unchecked: browsers check what
 * they get.
 */
export async function relayWeights(ctx: Context, request: Request, sha256: string): Promise<Response> {
  const card = WEIGHTS.find((each) => each.sha256 === sha256 && isOperationId(each.operation));
  if (!card) {
    throw new OperationError(
      'not_found',
      'There are no weights of this SHA-256. A newer version of the page knows what there is.',
    );
  }
  const store = openWeightStore(ctx.env);
  const { state, bytes } = await store.state(card);
  if (state !== 'whole' || !(await store.isRight(card))) {
    if (request.method === 'GET') keep(ctx, store, card);
    return passOn(request, store, card);
  }
  const open = async (range = {}) => createReadStream(store.pathOf(card), range);
  return sendFile(ctx, request, { bytes, sha256, headers: headersOf(card, FOR_EVER), open });
}

/** Brings a right file here for all who ask later, once at a time. A failure is told to whoever asks next. */
function keep(ctx: Context, store: WeightStore, card: WeightCard): void {
  if (keeping.has(card.sha256)) return;
  const options = { signal: new AbortController().signal, onProgress: () => {} };
  const fetched = store
    .removeDamaged(card, options)
    .then(() => store.fetch([card], options))
    .catch((err) => ctx.log.warn({ err, weights: card.id }, 'weights not fetched'))
    .finally(() => keeping.delete(card.sha256));
  keeping.set(card.sha256, fetched);
}

async function passOn(request: Request, store: WeightStore, card: WeightCard): Promise<Response> {
  if (passedOn >= PASSED_ON_MAX) {
    throw new OperationError('unavailable', 'Too many downloads at a time. Try again in a moment.');
  }
  const source = await store.openSource(card, askedOffset(request, card), request.signal);
  const headers = headersOf(card, UNCHECKED);
  const { offset } = source;
  const bytes = card.bytes ?? source.bytesTotal;
  if (bytes !== null) headers.set('content-length', String(bytes - offset));
  if (offset > 0) headers.set('content-range', `bytes ${offset}-${Number(bytes) - 1}/${bytes}`);
  if (request.method === 'HEAD') source.cancel();
  const body =
    request.method === 'HEAD' ? null : bodyOf(Readable.from(counted(source.chunks)), request.signal);
  return new Response(body, { status: offset > 0 ? 206 : 200, headers });
}

/** Of ranges only the one that goes on with a broken download is passed on: `bytes=N-`. */
function askedOffset({ headers }: Request, { bytes }: WeightCard): number {
  const [, first] = /^bytes=(\d+)-$/.exec(headers.get('range') ?? '') ?? [];
  return first !== undefined && bytes !== null && Number(first) < bytes ? Number(first) : 0;
}

async function* counted<Chunk>(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  passedOn += 1;
  try {
    yield* chunks;
  } finally {
    passedOn -= 1;
  }
}

function headersOf(card: WeightCard, caching: string): Headers {
  return new Headers({
    'cache-control': caching,
    'content-disposition': `attachment; filename="${weightFileName(card)}"`,
    'content-type': 'application/octet-stream',
    // For our own pages: others have the publisher.
    'cross-origin-resource-policy': 'same-origin',
  });
}
