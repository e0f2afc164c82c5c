import { z } from 'zod';
import { buildOnce } from '../build-once.ts';
import type { Operation } from './define-operation.ts';
import { isDirectOnly } from './direct-response.ts';
import { fieldError, OperationError } from './errors.ts';
import type { InputField, Media } from './inputs.ts';
import { type JobLabels, LABEL_FIELDS } from './job-labels.ts';
import { base64File, httpUrl, parseParams } from './params.ts';
import { PLACE_FIELD, type RunPlace } from './run-place.ts';

/** Request, split into the location of the input and the params. */
export interface OperationRequest {
  /** Input field that was given. */
  readonly field: string;
  /** Content of the field: a URL, or base64. */
  readonly value: string;
  readonly params: Record<string, unknown>;
}

/** Files of one result that can be delivered. */
const OUTPUT_URLS_MAX = 64;

/** Places where a request wants its result. */
export interface OutputTargets {
  /** Presigned PUT URLs, one for each file of the result in the order of `media_url`; none without. */
  readonly urls: readonly string[];
  /** Whether the service keeps the files as well. */
  readonly isStored: boolean;
}

const urlsField = z.array(httpUrl('A presigned PUT URL.')).min(1).max(OUTPUT_URLS_MAX).optional().meta({
  description:
    'Presigned PUT URLs of your own bucket, one for each file of the result, in the order of `media_url`. The job completes once they have the files.',
});

const storeField = z.boolean().default(true).meta({
  description: 'Whether the service keeps the result as well. false needs `output_urls`.',
});

const ttlField = z.number().min(1).optional().meta({
  description:
    'Hours until the files of the result are deleted, fewer than they are kept without it. At least 1.',
});

/** Fields of a request for a job with files. */
const TARGET_FIELDS = { output_urls: urlsField, store: storeField, result_ttl_hours: ttlField };

/** Returns the field by which a request or a batch shortens the lifetime of its result; none without files. */
export function lifetimeField(
  operation: Pick<Operation, 'response'>,
): Partial<Pick<typeof TARGET_FIELDS, 'result_ttl_hours'>> {
  return isDirectOnly(operation) ? {} : { result_ttl_hours: ttlField };
}

/** Returns the fields by which a request of an operation says where its result goes; none where there are no files. */
export function targetFields(operation: Pick<Operation, 'response'>): Partial<typeof TARGET_FIELDS> {
  return isDirectOnly(operation) ? {} : TARGET_FIELDS;
}

/** Values of `targetFields`. */
interface RequestedTargets {
  readonly output_urls?: readonly string[] | undefined;
  readonly store?: boolean | undefined;
}

/** Members that requests of all operations have, and batches. */
type CommonMembers = z.output<z.ZodObject<typeof PLACE_FIELD & typeof LABEL_FIELDS>> &
  RequestedTargets & { readonly result_ttl_hours?: number | undefined };

/** Splits what its schema has checked into the members that all requests have, and the others. */
export function splitMembers(parsed: object): {
  readonly common: {
    readonly place: RunPlace;
    readonly labels: JobLabels;
    /** Lifetime of the result in hours that the request asks for. */
    readonly resultTtlHours: number | undefined;
  };
  readonly targets: RequestedTargets;
  readonly others: Readonly<Record<string, unknown>>;
} {
  const { run_on, reference, metadata, result_ttl_hours, output_urls, store, ...others } =
    parsed as CommonMembers & Readonly<Record<string, unknown>>;
  const common = { place: run_on, labels: { reference, metadata }, resultTtlHours: result_ttl_hours };
  return { common, targets: { output_urls, store }, others };
}

/**
 * Reads where the result of a request goes.
 * @param fields checked against `targetFields`
 * @param params checked against the operation's schema
 * @throws OperationError `bad_request` naming `output_urls` for another number of URLs than the result has files, and
 *   both fields where the result would be stored nowhere
 */
function readOutputTargets(
  operation: Operation,
  { output_urls, store = true }: RequestedTargets,
  params: unknown,
): OutputTargets {
  if (output_urls === undefined) {
    if (store) return { urls: [], isStored: true };
    throw fieldError('store', 'false needs output_urls, so that the result is stored there. Send both.');
  }
  const count = operation.outputCount(params);
  if (output_urls.length !== count) {
    throw fieldError(
      'output_urls',
      `must have one URL for each file of the result, in the order of media_url: ${count} for this request.`,
    );
  }
  return { urls: output_urls, isStored: store };
}

/**
 * Returns the schema of an operation's JSON body: its input fields, its params, where the job runs, where the result
 * goes, and the job's labels side by side. It is built once: zod compiles every schema at its first use, which takes
 * milliseconds.
 */
export const requestSchema = buildOnce(
  (operation: Operation): z.ZodObject =>
    itemSchema(operation).extend({ ...targetFields(operation), ...PLACE_FIELD, ...LABEL_FIELDS }),
);

/** Returns the schema of one item of a batch: the input fields and the params. */
export const itemSchema = buildOnce((operation: Operation): z.ZodObject => {
  const fields = Object.entries(operation.inputs);
  const inputs = fields.map(([name, input]) => {
    const field = inputSchema(input, operation);
    return [name, fields.length > 1 ? field.optional() : field] as const;
  });
  return z.strictObject({ ...Object.fromEntries(inputs), ...operation.params.shape });
});

function inputSchema(input: InputField, operation: Operation): z.ZodString {
  const { encoding } = input;
  const description = `${input.description} Accepts ${describeMedia(input.media)}.`;
  return encoding === 'url' ? httpUrl(description) : base64File(description, getBytesMax(operation, input));
}

/** Returns the media types of some kinds of media: `audio/* or video/*`. */
export function describeMedia(media: readonly Media[]): string {
  return media.map((kind) => `${kind}/*`).join(' or ');
}

/** Returns the size limit in bytes of an input field's file. */
export function getBytesMax({ limits }: Pick<Operation, 'limits'>, { bytesMax }: InputField): number {
  return bytesMax ?? limits.inputBytesMax;
}

/**
 * Checks a body.
 * @throws OperationError `bad_request` naming the invalid field
 */
export function parseRequest(
  operation: Operation,
  body: unknown,
): OperationRequest & {
  readonly place: RunPlace;
  readonly labels: JobLabels;
  readonly targets: OutputTargets;
  /** Lifetime of the result in hours that the request asks for. */
  readonly resultTtlHours?: number | undefined;
} {
  const parsed = parseParams(requestSchema(operation), complete(operation, body));
  const { common, targets, others } = splitMembers(parsed);
  const request = splitItem(operation, others);
  return { ...request, ...common, targets: readOutputTargets(operation, targets, request.params) };
}

/**
 * Checks an item of a batch.
 * @throws OperationError `bad_request` naming the invalid field
 */
export function parseItem(operation: Operation, body: unknown): OperationRequest {
  return splitItem(operation, parseParams(itemSchema(operation), complete(operation, body)));
}

function complete(operation: Operation, body: unknown): unknown {
  return operation.complete ? operation.complete(body) : body;
}

function splitItem(operation: Operation, parsed: Readonly<Record<string, unknown>>): OperationRequest {
  const names = Object.keys(operation.inputs);
  const others = Object.entries(parsed).filter(([name]) => !names.includes(name));
  // The fields are valid one by one. Now those that do not go together are refused, before the input is fetched.
  const params = parseParams(operation.params, Object.fromEntries(others));
  const given = names.filter((name) => parsed[name] !== undefined);
  const [field] = given;
  if (field === undefined || given.length > 1) {
    throw new OperationError('bad_request', `${names.join(', ')}: exactly one of them must be given.`, {
      kind: 'setting',
      field: given[1] ?? names[0],
    });
  }
  return { field, value: String(parsed[field]), params };
}
