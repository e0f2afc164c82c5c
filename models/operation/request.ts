import { z } from 'zod';
import type { InputField, Media, Operation } from './define-operation.ts';
import { OperationError } from './errors.ts';
import { type JobLabels, LABEL_FIELDS } from './job-labels.ts';
import { type OutputTargets, readOutputTargets, targetFields } from './output-delivery.ts';
import { base64File, httpUrl, parseParams } from './params.ts';

/** Request, split into the location of the input and the params. */
export interface OperationRequest {
  /** Input field that was given. */
  readonly field: string;
  /** Content of the field: a URL, or base64. */
  readonly value: string;
  readonly params: Record<string, unknown>;
}

/**
 * Builds the schema of an operation's JSON body: its input fields, its params, where the result goes, and the job's labels
 * side by side.
 */
export function requestSchema(operation: Operation): z.ZodObject {
  return itemSchema(operation).extend({ ...targetFields(operation), ...LABEL_FIELDS });
}

/** Builds the schema of one item of a batch: the input fields and the params. */
export function itemSchema(operation: Operation): z.ZodObject {
  const fields = Object.entries(operation.inputs);
  const inputs = fields.map(([name, input]) => {
    const field = inputSchema(input, operation);
    return [name, fields.length > 1 ? field.optional() : field] as const;
  });
  return z.strictObject({ ...Object.fromEntries(inputs), ...operation.params.shape });
}

function inputSchema(input: InputField, operation: Operation): z.ZodString {
  const { encoding } = input;
  const description = `${input.description} Accepts ${describeMedia(input.media)}.`;
  return encoding === 'url' ? httpUrl(description) : base64File(description, bytesMaxOf(operation, input));
}

/** Returns the media types of some kinds of media: `audio/* or video/*`. */
export function describeMedia(media: readonly Media[]): string {
  return media.map((kind) => `${kind}/*`).join(' or ');
}

/** Returns the size limit in bytes of an input field's file. */
export function bytesMaxOf({ limits }: Pick<Operation, 'limits'>, { bytesMax }: InputField): number {
  return bytesMax ?? limits.inputBytesMax;
}

/**
 * Checks a body.
 * @throws OperationError `bad_request` naming the invalid field
 */
export function parseRequest(
  operation: Operation,
  body: unknown,
): OperationRequest & { readonly labels: JobLabels; readonly targets: OutputTargets } {
  const { reference, metadata, output_urls, store, ...item } = parseParams(requestSchema(operation), body);
  const request = splitItem(operation, item);
  const fields = { output_urls, store } as Parameters<typeof readOutputTargets>[1];
  const targets = readOutputTargets(operation, fields, request.params);
  return { ...request, labels: { reference, metadata } as JobLabels, targets };
}

/**
 * Checks an item of a batch.
 * @throws OperationError `bad_request` naming the invalid field
 */
export function parseItem(operation: Operation, body: unknown): OperationRequest {
  return splitItem(operation, parseParams(itemSchema(operation), body));
}

function splitItem(operation: Operation, parsed: Readonly<Record<string, unknown>>): OperationRequest {
  const names = Object.keys(operation.inputs);
  const given = names.filter((name) => parsed[name] !== undefined);
  const [field] = given;
  if (field === undefined || given.length > 1) {
    throw new OperationError('bad_request', `${names.join(', ')}: exactly one of them must be given.`, {
      kind: 'setting',
      field: given[1] ?? names[0],
    });
  }
  const params = Object.fromEntries(Object.entries(parsed).filter(([name]) => !names.includes(name)));
  return { field, value: String(parsed[field]), params };
}
