import { assertNoGplFormat } from '../../../models/media/video/gpl-formats.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { Attachment, InputFacts } from '../../../models/core/operation/inputs.ts';
import type { MicroUsd } from '../../../models/core/operation/money.ts';
import { bytesMaxOf, type OperationRequest } from '../../../models/core/operation/request.ts';
import type { Context } from '../../base/context/context.ts';
import type { RequestFile } from '../../jobs/index.ts';
import { type FileRequest, INPUT_NAME, type StagedFile, stageFile } from './stage-file.ts';

/** Owner and context of staged files. */
export type Stager = Pick<FileRequest, 'id' | 'accountId' | 'fetched' | 'signal'>;

/** Checked files of a request in storage, before any money moves. */
export interface StagedFiles extends Pick<StagedFile, 'claim' | 'discard'> {
  readonly files: readonly RequestFile[];
}

export interface StagedRequest extends StagedFiles {
  readonly facts: InputFacts;
  readonly price: MicroUsd;
}

/**
 * Stages input and attachments, and reads facts and price from the input's bytes.
 * @throws OperationError of the request's faults, naming the field; nothing is left behind then
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
    await discardStaged(ctx, staged);
    throw thrown;
  }
  const [{ file }, ...attachments] = staged as [StagedFile, ...StagedFile[]];
  return {
    ...found,
    ...combineStaged(ctx, staged),
    files: [inputField(0, file), ...attachments.map(attachmentField)],
  };
}

/** Combines staged files, to be claimed or dropped together. */
export function combineStaged(
  ctx: Context,
  staged: readonly StagedFile[],
): Pick<StagedFile, 'claim' | 'discard'> {
  return {
    discard: () => discardStaged(ctx, staged),
    async claim(tx) {
      for (const file of staged) await file.claim(tx);
    },
  };
}

/** Drops staged files. Never rejects: files that cannot be deleted now are deleted with the other orphans. */
export async function discardStaged(ctx: Context, staged: readonly StagedFile[]): Promise<void> {
  const results = await Promise.allSettled(staged.map((file) => file.discard()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) ctx.log.warn({ err: failed.reason }, 'input left for clean-up');
}

export function inputField(position: number, file: StagedFile['file']): RequestFile {
  return { ...file, role: 'input', position };
}

export function attachmentField({ file }: StagedFile, position: number): RequestFile {
  return { ...file, role: 'attachment', position };
}

/**
 * Stages the input.
 * @throws OperationError of the request's faults, naming the field
 */
export async function stageInput(
  ctx: Context,
  operation: Operation,
  { field, value, params }: OperationRequest,
  stager: Stager,
): Promise<{ staged: StagedFile; found: { facts: InputFacts; price: MicroUsd } }> {
  const input = operation.inputs[field];
  if (!input) throw new Error(`${operation.id} has no input field ${field}`);
  const { media, encoding, checksNamedType = false } = input;
  if (!ctx.env.GPL_ENCODERS) assertNoGplFormat(operation, params, media);
  const bytesMax = bytesMaxOf(operation, input);
  const operationId = operation.id;
  const isTest = operation.isTest === true;
  const about = { operationId, isTest, field, value, media, encoding, checksNamedType, name: INPUT_NAME };
  const file = { ...stager, ...about, bytesMax };
  return await stageFile(ctx, file, (facts) => ({ facts, price: operation.price(facts, params) }));
}

/**
 * Stages an attachment.
 * @throws OperationError of the request's faults, naming the param
 */
export async function stageAttachment(
  ctx: Context,
  operation: Operation,
  { name, media, url }: Attachment,
  stager: Stager,
): Promise<StagedFile> {
  const { inputBytesMax: bytesMax } = operation.limits;
  const about = {
    operationId: operation.id,
    isTest: operation.isTest === true,
    field: name,
    value: url,
    name,
  };
  const file = { ...stager, ...about, media, encoding: 'url' as const, bytesMax };
  const { staged } = await stageFile(ctx, file, () => null);
  return staged;
}
