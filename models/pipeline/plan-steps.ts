import type { Operation } from '../core/operation/define-operation.ts';
import { isDirectOnly } from '../core/operation/direct-response.ts';
import { type ErrorCode, fieldError, OperationError } from '../core/operation/errors.ts';
import type { InputFacts, Media } from '../core/operation/inputs.ts';
import { describeMedia, getBytesMax } from '../core/operation/request.ts';
import type { TestFile, TestResult } from '../core/operation/run-result.ts';
import { getFormat } from '../media/image/find-format.ts';
import { assertImageWithin } from '../media/image/image-header.ts';
import { getStepOperation, type Step, type StepOperations } from './schema.ts';

/** Facts of an input for one operation, or why that refuses it. */
type Findings = { readonly facts: InputFacts } | { readonly code: ErrorCode; readonly message: string };

/** Facts about the input of a pipeline. */
export interface PipelineFacts extends InputFacts {
  readonly bytes: number;
  /** Findings by id, for the operations that read its kind. */
  readonly findings: Readonly<Record<string, Findings>>;
}

/** Step with what is known of it before it runs. */
export interface PlannedStep {
  readonly step: Step;
  readonly operation: Operation;
  /** Facts of its input: of the pipeline's own, or as an earlier step will make it. */
  readonly facts: InputFacts;
  readonly result: TestResult;
}

/**
 * Reads the facts of an input for every operation that reads its kind.
 * @throws OperationError of the first operation when all of them refuse it
 */
export async function probeForSteps(
  operations: StepOperations,
  input: Blob,
  kind: Media,
): Promise<PipelineFacts> {
  const known = new Map<unknown, Promise<InputFacts>>();
  const probe = (operation: Operation): Promise<InputFacts> => {
    // Within a pipeline a moderation reads whatever it can reduce.
    if (isDirectOnly(operation)) return operation.probeOnDevice(input);
    const reading = known.get(operation.probe) ?? operation.probe(input, [kind]);
    known.set(operation.probe, reading);
    return reading;
  };
  const findings = new Map<string, Findings>();
  const refusals: OperationError[] = [];
  let mediaType: string | undefined;
  for (const operation of Object.values(operations)) {
    if (!readsKind(operation, kind)) continue;
    try {
      const facts = await probe(operation);
      mediaType ??= facts.mediaType;
      findings.set(operation.id, { facts });
    } catch (thrown) {
      if (!(thrown instanceof OperationError)) throw thrown;
      refusals.push(thrown);
      findings.set(operation.id, { code: thrown.code, message: thrown.message });
    }
  }
  const [refusal] = refusals;
  if (mediaType === undefined) {
    throw refusal ?? new OperationError('bad_request', `No operation reads ${describeMedia([kind])}.`);
  }
  return { mediaType, bytes: input.size, findings: Object.fromEntries(findings) };
}

/**
 * Plans the steps of a pipeline: each by the facts of its source, as far as they can be told before it runs.
 * @throws OperationError `bad_request` naming the step's field: a source of another kind, or beyond a limit
 */
export function planSteps(
  operations: StepOperations,
  facts: PipelineFacts,
  steps: readonly Step[],
): readonly PlannedStep[] {
  const planned: PlannedStep[] = [];
  for (const [at, step] of steps.entries()) {
    const operation = getStepOperation(operations, step.operation);
    const source = findSource({ operation, step, at }, facts, planned);
    const result = inStep(at, () => {
      operation.price(source, step.params);
      return operation.testResult(source, step.params, 0);
    });
    planned.push({ step, operation, facts: source, result });
  }
  return planned;
}

/** Runs a check of a step, and names the step's field in its error. */
export function inStep<Result>(at: number, check: () => Result): Result {
  try {
    return check();
  } catch (thrown) {
    if (!(thrown instanceof OperationError)) throw thrown;
    const { field, message, code, kind } = thrown;
    const path = `steps[${at}].params${field ? `.${field}` : ''}`;
    const problem = field && message.startsWith(`${field}: `) ? message.slice(field.length + 2) : message;
    throw fieldError(path, problem, { code, kind, cause: thrown });
  }
}

interface Reader {
  readonly operation: Operation;
  readonly step: Step;
  readonly at: number;
}

function findSource(
  { operation, step: { from }, at }: Reader,
  facts: PipelineFacts,
  planned: readonly PlannedStep[],
): InputFacts {
  const field = `steps[${at}].from`;
  if (from === 'input') {
    const found = facts.findings[operation.id];
    if (!found) throw wrongKind(field, operation, facts.mediaType);
    if ('code' in found) throw fieldError(field, found.message, { code: found.code });
    const bytesMax = inputBytesMax(operation, facts.mediaType);
    if (facts.bytes <= bytesMax || isDirectOnly(operation)) return found.facts;
    throw fieldError(field, `the input must be at most ${bytesMax} bytes for ${operation.id}.`, {
      code: 'too_large',
    });
  }
  const source = planned.find(({ step: { id } }) => id === from.split('/')[0]);
  const file = source && pickFile(source.result.files, from, field);
  if (!source || !file) throw fieldError(field, `${from} gives no file.`);
  const known = predictFacts(file, source.facts);
  if (!known || !readsKind(operation, file.kind)) throw wrongKind(field, operation, file.kind);
  const limits = operation.imageLimits;
  if (limits && file.kind === 'image') {
    try {
      assertImageWithin(file, limits);
    } catch (thrown) {
      if (!(thrown instanceof OperationError)) throw thrown;
      throw fieldError(field, thrown.message, { code: thrown.code });
    }
  }
  return known;
}

function wrongKind(field: string, operation: Operation, kind: string): OperationError {
  const media = [...new Set(Object.values(operation.inputs).flatMap((input) => input.media))];
  return fieldError(field, `${operation.id} reads ${describeMedia(media)}, but this is ${kind}.`, {
    code: 'unsupported',
  });
}

/**
 * Picks the file of a step that a source names.
 * @throws OperationError `bad_request` when it names none of several
 */
export function pickFile<File extends { readonly name: string }>(
  files: readonly File[],
  from: string,
  field: string,
): File | undefined {
  const [id = '', chosen] = from.split('/');
  if (chosen === undefined) {
    if (files.length < 2) return files[0];
    throw fieldError(field, `${id} gives ${files.length} files. Name one: ${listNames(id, files)}.`);
  }
  const file = files.find(({ name }, at) => String(at) === chosen || stemOf(name) === chosen);
  if (!file) throw fieldError(field, `${id} gives no file ${chosen}. It gives ${listNames(id, files)}.`);
  return file;
}

function listNames(id: string, files: readonly { readonly name: string }[]): string {
  return files.map(({ name }, at) => `${id}/${/\d/.test(stemOf(name)) ? at : stemOf(name)}`).join(', ');
}

function stemOf(name: string): string {
  return name.slice(0, name.lastIndexOf('.'));
}

/** Returns the facts of a file that a step will make, as its readers' probes would; undefined for a document. */
function predictFacts(
  file: TestFile,
  source: InputFacts,
): (InputFacts & Readonly<Record<string, unknown>>) | undefined {
  switch (file.kind) {
    case 'image': {
      const { width, height, format } = file;
      return { mediaType: getFormat(format).mediaType, format, width, height };
    }
    case 'video': {
      const { width, height, durationSeconds } = file;
      return { ...source, mediaType: `video/${file.format}`, width, height, durationSeconds };
    }
    case 'audio':
      return {
        ...source,
        mediaType: `audio/${file.format}`,
        durationSeconds: file.durationSeconds,
      };
    default:
      return undefined;
  }
}

function readsKind({ inputs }: Operation, kind: string): boolean {
  return Object.values(inputs).some(({ media }) => media.some((each) => each === kind));
}

function inputBytesMax(operation: Operation, mediaType: string): number {
  const fields = Object.values(operation.inputs).filter(({ media }) =>
    media.some((kind) => mediaType.startsWith(`${kind}/`)),
  );
  return Math.max(...fields.map((field) => getBytesMax(operation, field)));
}

/** Returns the name of a step's file within its job: `shop.webp`, `stems.vocals.mp3`. */
export function nameStepFile(id: string, name: string): string {
  return name.startsWith('output.') ? `${id}${name.slice('output'.length)}` : `${id}.${name}`;
}

/** @throws OperationError of a step, naming it */
export function stepError(id: string, at: number, thrown: unknown): unknown {
  if (!(thrown instanceof OperationError)) return thrown;
  const { code, message, field, kind, retryAfterSeconds } = thrown;
  return new OperationError(code, `steps.${id}: ${message}`, {
    kind,
    cause: thrown,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    field: field && `steps[${at}].params.${field}`,
  });
}
