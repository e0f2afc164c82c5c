import { z } from 'zod';
import { OperationError } from '../../models/errors.ts';
import { imageFormatOf } from '../../models/kernels/image-header.ts';
import { httpUrl, parseParams } from '../../models/params.ts';
import type { Context } from '../context.ts';
import { type OpenedUrl, openUrl } from '../fetching/index.ts';
import { atMost } from '../save-stream.ts';
import { parseJsonObject, readBody } from './read-json.ts';

const BYTES_MAX = 50_000_000;
const BODY_BYTES_MAX = 10_000;
/** Enough for a page of links dropped at once, too little to live on. */
export const FETCH_RATE = { perSecond: 0.5, burst: 20 };
/** At once in this process, whoever asks. */
const OPEN_MAX = 16;
/** What the longest signature takes. */
const HEAD_BYTES = 64;

const HEADERS = {
  'cache-control': 'no-store',
  // Should it ever be opened as a page of ours: it is none.
  'content-disposition': 'attachment',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

const bodySchema = z.strictObject({ url: httpUrl('Where the picture is.') });

let openCount = 0;

/**
 * POST /fetch: the picture at a URL, for our own pages, which may talk to no other origin. It is passed on as it comes
 * and kept nowhere. A POST, so that the URL, which may be a secret, stands in no log of a proxy.
 */
export async function fetchLink(ctx: Context, request: Request): Promise<Response> {
  assertOwnPage(request);
  const { url } = parseParams(bodySchema, parseJsonObject(await readBody(request, BODY_BYTES_MAX)));
  if (openCount >= OPEN_MAX) {
    throw new OperationError('unavailable', 'Too many links are being fetched now. Try again soon.');
  }
  openCount += 1;
  let opened: OpenedUrl | undefined;
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    openCount -= 1;
    await opened?.close();
  };
  const { signal } = request;
  signal.addEventListener('abort', release, { once: true });
  try {
    opened = await openUrl(url, {
      bytesMax: BYTES_MAX,
      allowNetworks: ctx.env.FETCH_ALLOW_NETWORKS,
      signal,
    });
    const chunks = atMost(opened.body, BYTES_MAX, () => new Error(`more than ${BYTES_MAX} bytes`));
    const head = await firstBytes(chunks);
    const format = imageFormatOf(head);
    if (!format) throw new OperationError('bad_request', 'holds no picture of a known format.');
    const headers = { ...HEADERS, 'content-type': `image/${format}` };
    return new Response(streamOf(head, chunks, release), { headers });
  } catch (thrown) {
    await release();
    if (!(thrown instanceof OperationError) || thrown.code !== 'bad_request') throw thrown;
    throw new OperationError('bad_request', `url: ${thrown.message}`, { cause: thrown });
  }
}

/** Browsers say where a request comes from, and no script can say otherwise: Fetch Metadata, section 2.4. */
function assertOwnPage({ headers }: Request): void {
  if (headers.get('sec-fetch-site') === 'same-origin') return;
  throw new OperationError(
    'forbidden',
    'This is for the pages of this service alone. Give the URL to an operation, or fetch it yourself.',
  );
}

async function firstBytes(chunks: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return head;
}

/** As fast as it is read. Whoever stops reading ends the connection behind it. */
function streamOf(
  head: Uint8Array,
  chunks: AsyncGenerator<Uint8Array>,
  release: () => Promise<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(head),
    async pull(controller) {
      try {
        const { value, done } = await chunks.next();
        if (!done) return controller.enqueue(value);
        await release();
        controller.close();
      } catch (thrown) {
        await release();
        controller.error(thrown);
      }
    },
    cancel: release,
  });
}
