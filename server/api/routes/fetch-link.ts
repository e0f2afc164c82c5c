import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fieldError, isRequestError, OperationError } from '../../../models/core/operation/errors.ts';
import type { InputFacts, Media } from '../../../models/core/operation/inputs.ts';
import { lowestPrice } from '../../../models/core/operation/operation-price.ts';
import { httpUrl, parseParams } from '../../../models/core/operation/params.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { assertDiskNotFull, countForDisk, SMALL_BYTES_MAX } from '../../base/disk-reserve.ts';
import { withTempDir } from '../../base/temp-dir.ts';
import { addressRules, download } from '../../io/fetching/index.ts';
import { readBalance } from '../../money/wallet/index.ts';
import { authenticateSession } from '../account/authenticate-request.ts';
import { defineRoute } from '../route.ts';
import { addressBucket } from '../transport/client-address.ts';
import { acquireLinkAllowance, type LinkAllowance } from '../transport/link-allowance.ts';
import { parseJsonObject, readBody } from '../transport/read-request.ts';
import { streamBody } from '../transport/stream-body.ts';
import { assertFetchToken } from './create-fetch-token.ts';

/** Enough for a page of links dropped at once, too little for bulk use. */
const RATE = { counts: 'links from this address', perSecond: 0.5, burst: 20 };

interface LinkLimits {
  readonly bytesMax: number;
  readonly timeouts: { readonly stallMs: number; readonly totalMs: number };
  readonly rateMin: { readonly bytesPerSecond: number; readonly graceMs: number };
}

const ACCOUNT_LINK_LIMITS: LinkLimits = {
  bytesMax: 50_000_000,
  timeouts: { stallMs: 30_000, totalMs: 300_000 },
  rateMin: { bytesPerSecond: 10_000, graceMs: 30_000 },
};
const VISITOR_LINK_LIMITS: LinkLimits = {
  bytesMax: 20_000_000,
  timeouts: { stallMs: 10_000, totalMs: 60_000 },
  rateMin: { bytesPerSecond: 20_000, graceMs: 5_000 },
};
const BODY_BYTES_MAX = 10_000;
/** Longest time without a read by the page. */
const STALL_MS = 30_000;
/** Longest time in which the page reads a whole file. */
const READ_MS = 300_000;

const HEADERS = {
  'cache-control': 'no-store',
  // Makes it harmless when opened as one of our pages.
  'content-disposition': 'attachment',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
};

const bodySchema = z.strictObject({ url: httpUrl('URL of the image or video.') });

export interface LinkOptions {
  /** Longest time without a read by the page. */
  readonly stallMs?: number;
  /** Longest time in which the page reads the whole file. */
  readonly readMs?: number;
  /** Limits for a client without an account. */
  readonly limits?: LinkLimits;
}

/**
 * Passes on the file at a URL for our own pages, which may contact no other origin. The file is fetched whole and its
 * header read before any of it is passed on; it is deleted as soon as it is open. A POST, so that the URL, which may be
 * a secret, appears in no proxy log.
 */
export const fetchLink = defineRoute({
  method: 'POST',
  path: '/fetch',
  audience: 'pages',
  bucket: 'fetch',
  rate: RATE,
  handle: ({ ctx, request }) => passLinkOn(ctx, request),
});

export async function passLinkOn(
  ctx: Context,
  request: Request,
  { stallMs = STALL_MS, readMs = READ_MS, limits = VISITOR_LINK_LIMITS }: LinkOptions = {},
): Promise<Response> {
  await assertFetchToken(ctx, request);
  const { owner, ...own } = await findLinkOwner(ctx, request, limits);
  const { url } = parseParams(bodySchema, parseJsonObject(await readBody(request, BODY_BYTES_MAX)));
  const place = acquireLinkAllowance(
    owner,
    addressBucket('fetch', request, 'site'),
    ctx.env.LINKS_MB * 1_000_000,
  );
  try {
    const { handle, facts } = await fetchFile(ctx, url, { owner, place, signal: request.signal, ...own });
    const close = () => {
      place.release();
      handle.close().catch((err) => ctx.log.debug({ err }, 'a fetched link was not closed'));
    };
    const { size } = await handle.stat();
    const headers = { ...HEADERS, 'content-type': facts.mediaType, 'content-length': String(size) };
    const chunks = handle.createReadStream({ autoClose: false });
    return new Response(streamBody(chunks, { request, stallMs, totalMs: readMs, close }), { headers });
  } catch (thrown) {
    place.release();
    if (!isRequestError(thrown)) throw thrown;
    throw fieldError('url', thrown.message, { code: thrown.code, cause: thrown });
  }
}

/**
 * Returns whose place a link takes, and its limits: those of the account when the visitor is signed in, and the account
 * could pay for anything.
 */
async function findLinkOwner(
  ctx: Context,
  request: Request,
  limits: LinkLimits,
): Promise<LinkLimits & { readonly owner: string }> {
  const actor = await authenticateSession(ctx, request, 'account.see');
  if (!actor) return { ...limits, owner: addressBucket('fetch', request) };
  const { accountId } = actor;
  const { available } = await readBalance(ctx.db, accountId);
  const canPay = available >= lowestPrice(Object.values(getOperations(ctx)));
  return { ...(canPay ? ACCOUNT_LINK_LIMITS : limits), owner: accountId };
}

type FetchOptions = LinkLimits & {
  readonly owner: string;
  readonly place: LinkAllowance;
  readonly signal: AbortSignal;
};

/** Fetches a file and reads its header. @returns the open file, which has no name any more */
async function fetchFile(
  ctx: Context,
  url: string,
  options: FetchOptions,
): Promise<{ handle: FileHandle; facts: InputFacts }> {
  const { prober, log } = ctx;
  if (!prober) throw new Error('this process probes no files');
  const { owner, place, signal } = options;
  return await withTempDir(ctx.env, async (directory) => {
    const path = join(directory, 'link');
    const kinds = listAcceptedMedia(ctx);
    await assertDiskNotFull(ctx.env);
    const count = await countForDisk(ctx.env, SMALL_BYTES_MAX, place.count);
    await download(url, { ...addressRules(ctx.env), ...options, path, count });
    const facts = await prober.probe({ path, media: kinds }, { owner, signal, log, isLink: true });
    assertAcceptedMedia(kinds, facts);
    place.endFetch();
    return { handle: await open(path), facts };
  });
}

/** Lists the kinds of files that any operation takes. */
function listAcceptedMedia(ctx: Context): Media[] {
  const inputs = Object.values(getOperations(ctx)).flatMap((operation) => Object.values(operation.inputs));
  return [...new Set(inputs.flatMap(({ media }) => media))];
}

/** Rejects a file of another kind than its container tells, such as a video without images. */
function assertAcceptedMedia(kinds: readonly Media[], { mediaType }: InputFacts): void {
  if (kinds.some((kind) => mediaType.startsWith(`${kind}/`))) return;
  throw new OperationError('bad_request', `is ${mediaType}, which no tool here takes.`);
}
