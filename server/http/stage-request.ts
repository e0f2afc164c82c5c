import type { MicroUsd } from '../../models/money.ts';
import type { Attachment, InputFacts, Operation } from '../../models/operation.ts';
import { bytesMaxOf, type OperationRequest } from '../../models/request.ts';
import type { Context } from '../context.ts';
import type { GivenFile } from '../jobs/index.ts';
import { type FileRequest, type StagedFile, stageFile } from './stage-file.ts';

/** For whom files are staged. */
export type Stager = Pick<FileRequest, 'id' | 'accountId' | 'signal'>;

/** Files of a request that are in storage and have been checked, before any money moves. */
export interface StagedFiles extends Pick<StagedFile, 'take' | 'drop'> {
  readonly files: readonly GivenFile[];
}

export interface StagedRequest extends StagedFiles {
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
  try {
    for (const attachment of operation.attachments(request.params)) {
      staged.push(await stageAttachment(ctx, operation, attachment, stager));
    }
  } catch (thrown) {
    await dropStaged(ctx, staged);
    throw thrown;
  }
  const [{ file }, ...attachments] = staged as [StagedFile, ...StagedFile[]];
  return { ...found, ...together(ctx, staged), files: [inputAt(0, file), ...attachments.map(attachmentAt)] };
}

/** What is done with all of them once it is known whether there is a job. */
export function together(ctx: Context, staged: readonly StagedFile[]): Pick<StagedFile, 'take' | 'drop'> {
  return {
    drop: () => dropStaged(ctx, staged),
    async take(tx) {
      for (const file of staged) await file.take(tx);
    },
  };
}

/** Never rejects: what cannot be deleted now goes with the other orphans. */
export async function dropStaged(ctx: Context, staged: readonly StagedFile[]): Promise<void> {
  const results = await Promise.allSettled(staged.map((file) => file.drop()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) ctx.log.warn({ err: failed.reason }, 'input left for clean-up');
}

export function inputAt(position: number, file: StagedFile['file']): GivenFile {
  return { ...file, role: 'input', position };
}

export function attachmentAt({ file }: StagedFile, position: number): GivenFile {
  return { ...file, role: 'attachment', position };
}

/** @throws OperationError `bad_request` naming the field */
export async function stageInput(
  ctx: Context,
  operation: Operation,
  { field, value, params }: OperationRequest,
  stager: Stager,
): Promise<{ staged: StagedFile; found: { facts: InputFacts; price: MicroUsd } }> {
  const input = operation.inputs[field];
  if (!input) throw new Error(`${operation.id} has no input field ${field}`);
  const { media, encoding } = input;
  const bytesMax = bytesMaxOf(operation, input);
  const file = { ...stager, field, value, media, encoding, bytesMax, name: 'input' };
  return await stageFile(ctx, file, (bytes) => operation.quote(bytes, params, media));
}

/** @throws OperationError `bad_request` naming the param */
export async function stageAttachment(
  ctx: Context,
  operation: Operation,
  { name, media, url }: Attachment,
  stager: Stager,
): Promise<StagedFile> {
  const { inputBytesMax: bytesMax } = operation.limits;
  const file = { ...stager, field: name, value: url, media, encoding: 'url' as const, bytesMax, name };
  const { staged } = await stageFile(ctx, file, async (bytes) => ({
    facts: await operation.probe(bytes, media),
  }));
  return staged;
}
