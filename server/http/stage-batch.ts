import type { BatchItem } from '../../models/batch.ts';
import { OperationError } from '../../models/errors.ts';
import type { MicroUsd } from '../../models/money.ts';
import type { Attachment, Operation } from '../../models/operation.ts';
import { parseRequest } from '../../models/request.ts';
import type { Context } from '../context.ts';
import { mapInLanes } from '../in-lanes.ts';
import type { GivenFile } from '../jobs/index.ts';
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

export interface StagedBatch extends StagedFiles {
  readonly items: readonly BatchItem[];
  /** Of all items that can be run. */
  readonly price: MicroUsd;
}

/**
 * Brings the files of a batch into storage. An item that is wrong or cannot be fetched is noted as such and hinders no
 * other; a file that several name by the same URL as their attachment is fetched once.
 * @param requests the items' bodies
 */
export async function stageBatch(
  ctx: Context,
  operation: Operation,
  requests: readonly unknown[],
  stager: Stager,
): Promise<StagedBatch> {
  const timeUp = AbortSignal.timeout(FETCH_MS);
  const signal = AbortSignal.any([stager.signal, timeUp]);
  const batch = new Batch(ctx, operation, { ...stager, signal });
  const stage = async (request: unknown, position: number): Promise<BatchItem> => {
    try {
      return await batch.stage(request, position);
    } catch (thrown) {
      if (thrown instanceof OperationError && thrown.code === 'bad_request') return { error: thrown.message };
      if (!timeUp.aborted || stager.signal.aborted) throw thrown;
      return { error: 'The files of this batch took too long to come. Send fewer, or from a faster server.' };
    }
  };
  try {
    const items = await mapInLanes(requests, LANES, stage);
    return { items, price: batch.price, files: batch.files(), ...together(ctx, batch.staged()) };
  } catch (thrown) {
    await dropStaged(ctx, batch.staged());
    throw thrown;
  }
}

class Batch {
  price: MicroUsd = 0n;
  readonly #ctx: Context;
  readonly #operation: Operation;
  readonly #stager: Stager;
  readonly #inputs = new Map<number, StagedFile>();
  readonly #attachments: StagedFile[] = [];
  readonly #positions = new Map<string, Promise<number>>();
  readonly #keys = new Set<string>();

  constructor(ctx: Context, operation: Operation, stager: Stager) {
    this.#ctx = ctx;
    this.#operation = operation;
    this.#stager = stager;
  }

  /** @throws OperationError `bad_request` when the item is wrong */
  async stage(request: unknown, position: number): Promise<BatchItem> {
    const parsed = parseRequest(this.#operation, request);
    const { params } = parsed;
    const attachments: Record<string, number> = {};
    for (const attachment of this.#operation.attachments(params)) {
      attachments[attachment.name] = await this.#positionOf(attachment);
    }
    const { staged, found } = await stageInput(this.#ctx, this.#operation, parsed, this.#stager);
    this.#assertUnused(staged, parsed.field);
    this.#inputs.set(position, staged);
    this.price += found.price;
    return { params, facts: found.facts, price: String(found.price), attachments };
  }

  staged(): StagedFile[] {
    return [...this.#inputs.values(), ...this.#attachments];
  }

  files(): GivenFile[] {
    const inputs = [...this.#inputs].map(([position, { file }]) => inputAt(position, file));
    return [...inputs, ...this.#attachments.map(attachmentAt)];
  }

  #positionOf(attachment: Attachment): Promise<number> {
    const name = `${attachment.name} ${attachment.url}`;
    const known = this.#positions.get(name) ?? this.#stageAttachment(attachment);
    this.#positions.set(name, known);
    return known;
  }

  async #stageAttachment(attachment: Attachment): Promise<number> {
    const staged = await stageAttachment(this.#ctx, this.#operation, attachment, this.#stager);
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
