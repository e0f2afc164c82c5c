import type { BatchItem } from '../../models/batch.ts';
import { OperationError } from '../../models/errors.ts';
import type { MicroUsd } from '../../models/money.ts';
import type { Attachment } from '../../models/operation.ts';
import { type OperationRequest, parseRequest } from '../../models/request.ts';
import { mapInLanes } from '../in-lanes.ts';
import type { GivenFile, SettledItem } from '../jobs/index.ts';
import { withinTime } from '../within-time.ts';
import type { Call } from './answer-once.ts';
import { cachedResult, cacheKeyOf } from './cached.ts';
import type { StagedFile } from './stage-file.ts';
import {
  attachmentAt,
  dropStaged,
  inputAt,
  type StagedFiles,
  type Stager,
  stageAttachment,
  stageInput,
  together,
} from './stage-request.ts';

/** So many inputs are fetched at the same time, and lie on this machine's disk. */
const LANES = 6;
/** What has not come by then is given up, since the request itself wants an answer. */
const FETCH_MS = 200_000;
/** A result of before must stay long enough for the others to be made. */
const MINUTES_LEFT_MIN = 60;

export interface StagedBatch extends StagedFiles {
  /** What is to be run. */
  readonly items: readonly BatchItem[];
  /** What is wrong, or has a result already. */
  readonly settled: readonly SettledItem[];
  /** Of all items that are to be run. */
  readonly price: MicroUsd;
}

/**
 * Brings the files of a batch into storage. An item that is wrong or cannot be fetched is noted as such and hinders no
 * other; one whose result the account has already needs no run; a file that several name by the same URL as their
 * attachment is fetched once.
 * @param requests the items' bodies
 * @param id of the job to be
 */
export async function stageBatch(call: Call, requests: readonly unknown[], id: string): Promise<StagedBatch> {
  const left = call.request.signal;
  const signal = withinTime(FETCH_MS, left);
  const batch = new Batch(call, { id, accountId: call.actor.accountId, signal });
  const stage = async (request: unknown, position: number): Promise<void> => {
    try {
      await batch.stage(request, position);
    } catch (thrown) {
      if (thrown instanceof OperationError && thrown.code === 'bad_request') {
        batch.refuse(position, thrown.message);
      } else if (!signal.aborted || left.aborted) throw thrown;
      else {
        const words = 'The files of this batch took too long to come. Send fewer, or from a faster server.';
        batch.refuse(position, words);
      }
    }
  };
  try {
    await mapInLanes(requests, LANES, stage);
    const { settled } = batch;
    // They have come as their servers let them.
    const items = batch.items.toSorted((one, other) => one.position - other.position);
    const price = items.reduce((sum, item) => sum + BigInt(item.price), 0n);
    return { items, settled, price, files: batch.files(), ...together(call.ctx, batch.staged()) };
  } catch (thrown) {
    await dropStaged(call.ctx, batch.staged());
    throw thrown;
  }
}

class Batch {
  readonly items: BatchItem[] = [];
  readonly settled: SettledItem[] = [];
  readonly #call: Call;
  readonly #stager: Stager;
  readonly #inputs = new Map<number, StagedFile>();
  readonly #attachments: StagedFile[] = [];
  readonly #positions = new Map<string, Promise<number>>();
  readonly #keys = new Set<string>();

  constructor(call: Call, stager: Stager) {
    this.#call = call;
    this.#stager = stager;
  }

  refuse(position: number, error: string): void {
    this.settled.push({ position, outcome: { status: 'failed', error } });
  }

  /** @throws OperationError `bad_request` when the item is wrong */
  async stage(request: unknown, position: number): Promise<void> {
    const { ctx, operation } = this.#call;
    const parsed = parseRequest(operation, request);
    const attachments: Record<string, number> = {};
    for (const attachment of operation.attachments(parsed.params)) {
      attachments[attachment.name] = await this.#positionOf(attachment);
    }
    const { staged, found } = await stageInput(ctx, operation, parsed, this.#stager);
    this.#assertUnused(staged, parsed.field);
    this.#inputs.set(position, staged);
    const { facts, price } = found;
    const cacheKey = this.#cacheKeyOf(parsed, staged, Object.values(attachments));
    if (await this.#settleFromCache(position, cacheKey)) return;
    this.items.push({
      ...{ position, params: parsed.params, facts, price: String(price), attachments },
      ...(cacheKey && { cacheKey: cacheKey.toString('hex') }),
    });
  }

  staged(): StagedFile[] {
    return [...this.#inputs.values(), ...this.#attachments];
  }

  files(): GivenFile[] {
    const inputs = [...this.#inputs].map(([position, { file }]) => inputAt(position, file));
    return [...inputs, ...this.#attachments.map(attachmentAt)];
  }

  #cacheKeyOf({ params }: OperationRequest, input: StagedFile, attachments: number[]): Buffer | undefined {
    const named = attachments.flatMap((at) => this.#attachments[at] ?? []);
    const files = [input, ...named].map(({ file }) => file);
    return cacheKeyOf(this.#call, params, files);
  }

  /** @returns whether the account had the result; the input is not used then */
  async #settleFromCache(position: number, cacheKey: Buffer | undefined): Promise<boolean> {
    const cached = await cachedResult(this.#call, cacheKey, MINUTES_LEFT_MIN);
    if (!cached) return false;
    const outcome = { ...cached.outcome, status: 'success' as const, cached: true };
    this.settled.push({ position, outcome, fileKey: cached.file.key });
    const input = this.#inputs.get(position);
    this.#inputs.delete(position);
    if (input) await dropStaged(this.#call.ctx, [input]);
    return true;
  }

  #positionOf(attachment: Attachment): Promise<number> {
    const name = `${attachment.name} ${attachment.url}`;
    const known = this.#positions.get(name) ?? this.#stageAttachment(attachment);
    this.#positions.set(name, known);
    return known;
  }

  async #stageAttachment(attachment: Attachment): Promise<number> {
    const { ctx, operation } = this.#call;
    const staged = await stageAttachment(ctx, operation, attachment, this.#stager);
    this.#assertUnused(staged, attachment.name);
    return this.#attachments.push(staged) - 1;
  }

  /** An upload can be used once. */
  #assertUnused({ file }: StagedFile, field: string): void {
    if (this.#keys.has(file.key)) {
      throw new OperationError('bad_request', `${field}: this upload is used by another item already.`);
    }
    this.#keys.add(file.key);
  }
}
