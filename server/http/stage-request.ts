import type { MicroUsd } from '../../models/money.ts';
import type { InputFacts, Operation } from '../../models/operation.ts';
import { bytesMaxOf, type OperationRequest } from '../../models/request.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db.ts';
import type { StoredFile } from '../jobs/index.ts';
import { type FileRequest, type StagedFile, stageFile } from './stage-file.ts';

/** For whom files are staged. */
export type Stager = Pick<FileRequest, 'id' | 'accountId' | 'signal'>;

/** A request whose files are in storage and have been checked, before any money moves. */
export interface StagedRequest extends Pick<StagedFile, 'take' | 'drop'> {
  readonly input: StoredFile;
  /** Each with its param's name. */
  readonly attachments: readonly StoredFile[];
  readonly facts: InputFacts;
  readonly price: MicroUsd;
}

/**
 * Brings input and attachments into storage, and reads facts and price from the input's bytes.
 * @throws OperationError `bad_request` naming the field; nothing is left behind then
 */
export async function stageRequest(
  ctx: Context,
  operation: Operation,
  request: OperationRequest,
  stager: Stager,
): Promise<StagedRequest> {
  const { staged: input, found } = await stageInput(ctx, operation, request, stager);
  const staged = [input];
  const drop = async () => void (await Promise.all(staged.map((file) => file.drop())));
  try {
    for (const attachment of operation.attachments(request.params)) {
      staged.push(await stageAttachment(ctx, operation, attachment, stager));
    }
  } catch (thrown) {
    await drop().catch((err) => ctx.log.warn({ err }, 'input left for clean-up'));
    throw thrown;
  }
  return {
    ...found,
    input: input.file,
    attachments: staged.slice(1).map(({ file }) => file),
    drop,
    async take(tx: Tx) {
      for (const file of staged) await file.take(tx);
    },
  };
}

async function stageInput(
  ctx: Context,
  operation: Operation,
  { field, value, params }: OperationRequest,
  stager: Stager,
) {
  const input = operation.inputs[field];
  if (!input) throw new Error(`${operation.id} has no input field ${field}`);
  const { media, encoding } = input;
  const bytesMax = bytesMaxOf(operation, input);
  const file = { ...stager, field, value, media, encoding, bytesMax, name: 'input' };
  return await stageFile(ctx, file, (bytes) => operation.quote(bytes, params));
}

async function stageAttachment(
  ctx: Context,
  operation: Operation,
  { name, media, url }: ReturnType<Operation['attachments']>[number],
  stager: Stager,
): Promise<StagedFile> {
  const { inputBytesMax: bytesMax } = operation.limits;
  const file = { ...stager, field: name, value: url, media, encoding: 'url' as const, bytesMax, name };
  const { staged } = await stageFile(ctx, file, async (bytes) => ({ facts: await operation.probe(bytes) }));
  return staged;
}
