import { type BatchItem, failItem, findDuplicates } from '../../../models/core/operation/batch.ts';
import { type ErrorCode, INPUT_ERRORS, OperationError } from '../../../models/core/operation/errors.ts';
import type { Attachment } from '../../../models/core/operation/inputs.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { type OperationRequest, parseItem } from '../../../models/core/operation/request.ts';
import { mapConcurrent } from '../../base/map-concurrent.ts';
import { createTimeoutSignal } from '../../base/signals.ts';
import { type RequestFile, recordFailures, type SettledItem, withDuplicates } from '../../jobs/index.ts';
import { insufficientBalance, readBalance } from '../../money/wallet/index.ts';
import { assertPartsAllowed } from './admission.ts';
import { assertEngines } from './assert-engines.ts';
import type { BillableCall } from './billable-call.ts';
import {
  attachmentField,
  discardFiles,
  type FileOwner,
  type IngestedFile,
  type IngestedSubmission,
  ingestAttachment,
  ingestInput,
  inputField,
} from './ingest-file.ts';
import { computeCacheKey, discardCopies, findCachedRequest, reuseResult } from './reuse-result.ts';

/** Number of inputs fetched at the same time, which occupy this machine's disk. */
const LANES = 6;
/** Time limit of a fetch, since the request itself needs a response. */
export const FETCH_MS = 200_000;
export const TOO_SLOW = new OperationError(
  'unfetchable',
  'The files of this batch took too long to arrive. Send fewer, or from a faster server.',
);
/** Shortest remaining lifetime of a cached result, so that it stays until the other items are done. */
const MINUTES_LEFT_MIN = 60;

/**
 * Ingests the files of a batch. An item that is invalid or cannot be fetched is recorded and hinders no other; an item
 * with a cached result needs no run, nor does one that repeats another; a file that several items attach by the same
 * URL is fetched once. Refused items count as the account's failures.
 * @param requests the items' bodies
 */
export async function ingestBatch(
  call: BillableCall,
  requests: readonly unknown[],
  { signal: left, ...owner }: FileOwner,
): Promise<IngestedSubmission> {
  const signal = createTimeoutSignal(FETCH_MS, left);
  const { accountId } = owner;
  const { available } = await readBalance(call.ctx.db, accountId);
  const batch = new Batch(call, { ...owner, signal }, available);
  const ingest = async (request: unknown, position: number): Promise<void> => {
    try {
      await batch.ingest(request, position);
    } catch (thrown) {
      if (isItemFault(thrown)) await batch.refuse(position, thrown);
      else if (!signal.aborted || left.aborted) throw thrown;
      else await batch.refuse(position, TOO_SLOW);
    }
  };
  try {
    const duplicates = findDuplicates(call.operation, requests);
    const own = [...requests.entries()].filter(([position]) => !duplicates.has(position));
    await mapConcurrent(own, LANES, ([position, request]) => ingest(request, position));
    const getDuplicates = (first: number) =>
      [...duplicates].flatMap(([position, repeated]) => (repeated === first ? position : []));
    const settled = batch.settled.flatMap((item) => withDuplicates(item, getDuplicates(item.position)));
    // They arrived in the order of their servers' speed.
    const items = batch.items
      .toSorted((one, other) => one.position - other.position)
      .map((item) => ({ ...item, duplicates: getDuplicates(item.position) }));
    return {
      params: { items },
      facts: {},
      lane: 'batch',
      settled,
      price: batch.price,
      files: batch.files(),
      discard: () => batch.discard(),
    };
  } catch (thrown) {
    await batch.discard();
    throw thrown;
  }
}

/** Errors of a request that this installation has no engine for. */
const ENGINE_ERRORS: readonly ErrorCode[] = ['engine_unavailable', 'category_unavailable', 'model_not_found'];

/** Reports whether an error is the fault of one item, or of the engine that it needs. An outage has no field. */
export function isItemFault(thrown: unknown): thrown is OperationError {
  if (!(thrown instanceof OperationError)) return false;
  const isOfEngine = thrown.code === 'unavailable' && thrown.field !== undefined;
  return isOfEngine || INPUT_ERRORS.includes(thrown.code) || ENGINE_ERRORS.includes(thrown.code);
}

class Batch {
  readonly items: BatchItem[] = [];
  readonly settled: SettledItem[] = [];
  readonly #call: BillableCall;
  readonly #owner: FileOwner;
  readonly #inputs = new Map<number, IngestedFile>();
  readonly #attachments: IngestedFile[] = [];
  readonly #positions = new Map<string, Promise<number>>();
  readonly #available: MicroUsd;
  /** Price of the items so far. */
  price = 0n;

  constructor(call: BillableCall, owner: FileOwner, available: MicroUsd) {
    this.#call = call;
    this.#owner = owner;
    this.#available = available;
  }

  /** Records an item as refused. It costs nothing, but has a row and may have been fetched, so it counts at once. */
  async refuse(position: number, fault: OperationError): Promise<void> {
    this.settled.push({ position, outcome: failItem(position, fault) });
    await recordFailures(this.#call.ctx, this.#owner.accountId, 1);
  }

  /**
   * Ingests one item.
   * @throws OperationError `bad_request` when it is invalid, `insufficient_balance` when the wallet does not cover the
   *   items so far
   */
  async ingest(request: unknown, position: number): Promise<void> {
    const { operation, ctx } = this.#call;
    const parsed = parseItem(operation, request);
    assertPartsAllowed(this.#call, parsed.params);
    await assertEngines(ctx, operation, parsed.params);
    const attachments: Record<string, number> = {};
    for (const attachment of operation.attachments(parsed.params)) {
      attachments[attachment.name] = await this.#getPosition(attachment);
    }
    const { ingested, facts, price } = await ingestInput(ctx, operation, parsed, this.#owner);
    this.#inputs.set(position, ingested);
    const cacheKey = await this.#cacheKeyOf(parsed, ingested, Object.values(attachments));
    if (await this.#settleFromCache(position, cacheKey)) return;
    this.price += price;
    // The next files would be fetched for nothing.
    if (this.price > this.#available) throw insufficientBalance(this.price);
    this.items.push({
      position,
      params: parsed.params,
      facts,
      price: String(price),
      attachments,
      ...(cacheKey && { cacheKey: cacheKey.toString('hex') }),
    });
  }

  ingested(): IngestedFile[] {
    return [...this.#inputs.values(), ...this.#attachments];
  }

  /** Releases the files when there is no job. Never rejects. */
  async discard(): Promise<void> {
    const { ctx } = this.#call;
    const copies = this.settled.flatMap(({ files = [] }) => files);
    await Promise.all([discardFiles(ctx, this.ingested()), discardCopies(ctx, copies)]);
  }

  files(): RequestFile[] {
    const inputs = [...this.#inputs].map(([position, file]) => inputField(position, file));
    return [...inputs, ...this.#attachments.map(attachmentField)];
  }

  #cacheKeyOf(
    { params }: OperationRequest,
    input: IngestedFile,
    attachments: number[],
  ): Promise<Buffer | undefined> {
    const named = attachments.flatMap((at) => this.#attachments[at] ?? []);
    const files = [input, ...named].map(({ file }) => file);
    return computeCacheKey(this.#call, params, files);
  }

  /**
   * Settles an item from the cache.
   * @returns whether the account had the result; the input is then unused
   */
  async #settleFromCache(position: number, cacheKey: Buffer | undefined): Promise<boolean> {
    const cached = await findCachedRequest(this.#call, cacheKey, MINUTES_LEFT_MIN);
    const input = this.#inputs.get(position);
    const reused = cached && (await reuseResult(this.#call, this.#owner.id, cached, input?.file));
    if (!reused) return false;
    const { files } = reused;
    const outcome = { ...reused.outcome, status: 'success' as const, cached: true };
    this.settled.push({ position, outcome, files, fileKeys: files.map(({ key }) => key) });
    this.#inputs.delete(position);
    if (input) await discardFiles(this.#call.ctx, [input]);
    return true;
  }

  #getPosition(attachment: Attachment): Promise<number> {
    const name = `${attachment.name} ${attachment.url}`;
    const known = this.#positions.get(name) ?? this.#ingestAttachment(attachment);
    this.#positions.set(name, known);
    return known;
  }

  async #ingestAttachment(attachment: Attachment): Promise<number> {
    const { ctx, operation } = this.#call;
    const ingested = await ingestAttachment(ctx, operation, attachment, this.#owner);
    return this.#attachments.push(ingested) - 1;
  }
}
