import { createHash } from 'node:crypto';
import { createWriteStream, openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { type FailureKind, INPUT_ERRORS, OperationError } from '../../../models/core/operation/errors.ts';
import type { Media } from '../../../models/core/operation/inputs.ts';
import type { FileFacts } from '../../../models/core/operation/result-file.ts';
import type { OutputFile } from '../../../models/core/operation/run-result.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import { instrumentSpans, type SpanName, type TimeSpan } from '../../../models/core/runtime/spans.ts';
import type { UsedWeights, WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { probeResult } from '../../../models/media/probe-media.ts';
import { createTestOperation } from '../../../models/test-mode/create-test-operation.ts';
import { STUCK_SECONDS, type WatchedChild, watchChild } from '../../base/children/watch-child.ts';
import { readEnv } from '../../base/env.ts';
import { openFile } from '../../base/open-file.ts';
import { findOutage, OutageError } from '../../base/outage.ts';
import { AcceptanceStore } from '../../runtime/acceptance/index.ts';
import { NodeAcceptances } from '../../runtime/acceptance/node-acceptances.ts';
import { openInference } from '../../runtime/inference/index.ts';
import { createNodeRuntime } from '../../runtime/node-runtime.ts';
import type { FetchOptions } from '../../runtime/weight-store/index.ts';
import { isMemoryExhausted } from './memory.ts';
import type {
  ChildMessage,
  Done,
  Failed,
  ProducedFile,
  RunRequest,
  StageTime,
  WeightsReply,
} from './protocol.ts';

interface StageTimes {
  readonly time: TimeSpan;
  /** Lists the stages that have had a call. */
  list(): StageTime[];
}

/** Inference of one run, and what it has used. */
interface RecordedInference {
  readonly inference: Inference;
  /** Lists the files of weights that were used without a fault, in the order of their first use. */
  list(): readonly UsedWeights[];
}

/** Process that runs operations one at a time, driven over IPC. It may be killed at any moment. */

const PROGRESS_EVERY_MS = 100;

/** Files up to this size are written at once: for small ones a stream takes longer than its bytes do. */
const WHOLE_BYTES_MAX = 16_000_000;

const MEDIA: readonly Media[] = ['image', 'audio', 'video'];

/** Kept between runs, with its warm sessions. */
const env = readEnv();

const inference = openInference(env, process.env.WEIGHTS_FROM_PARENT === '1' ? fetchByParent : undefined);

const store = new AcceptanceStore(env);

function send(message: ChildMessage): void {
  process.send?.(message);
}

/** Asks the parent for a file of weights: this process may only read their folder. */
async function fetchByParent({ id }: WeightCard, { onProgress }: FetchOptions): Promise<void> {
  send({ kind: 'weights', id });
  await new Promise<void>((resolve, reject) => {
    const hear = (reply: WeightsReply | RunRequest): void => {
      if (!('kind' in reply) || reply.id !== id) return;
      if (reply.kind === 'weights-loading') {
        onProgress(reply.loading);
        return;
      }
      process.off('message', hear);
      if (reply.refusal === undefined) resolve();
      else reject(new OperationError('unavailable', reply.refusal));
    };
    process.on('message', hear);
  });
}

async function run(
  operations: Record<string, Operation>,
  request: RunRequest,
  { times, watched }: { readonly times: StageTimes | undefined; readonly watched: WatchedChild },
): Promise<Done> {
  const offered = operations[request.operationId];
  if (!offered) throw new OperationError('internal', `${request.operationId}: unknown operation`);
  const { test } = request;
  const operation = test ? createTestOperation(offered, test.outcome) : offered;
  let reportedAtMs = performance.now();
  const plain = inference.capped(request.modelBytesMax);
  const { modelBytesMax } = request;
  const acceptances = new NodeAcceptances({ operations, store, inference: plain, modelBytesMax });
  const used = recordWeights(plain);
  const runtime = createNodeRuntime({
    // A run is not cancelled from within: a run that must end is killed with its process.
    signal: new AbortController().signal,
    inference: { ...used.inference, acceptances },
    gplEncoders: env.GPL_ENCODERS,
    attachments: await openAll(request.attachmentPaths),
    scratchDirectory: request.outputDirectory,
    onProgress(progress) {
      watched.noteProgress();
      if (performance.now() - reportedAtMs < PROGRESS_EVERY_MS) return;
      reportedAtMs = performance.now();
      send({ kind: 'progress', progress });
    },
  });
  const startedAtMs = performance.now();
  const timed = times ? instrumentSpans(runtime, times.time) : runtime;
  const result = await operation.execute(await openFile(request.inputPath), request.params, timed);
  const durationMs = Math.round(performance.now() - startedAtMs);
  const files: ProducedFile[] = [];
  for (const file of result.files) files.push(await write(file, request.outputDirectory));
  const { engine, warnings, details = {} } = result;
  const weights = used.list();
  return { kind: 'done', files, engine, warnings, details, weights, durationMs, modelBytes: inference.bytes };
}

async function openAll(paths: Readonly<Record<string, string>>): Promise<Map<string, Blob>> {
  const opened = Object.entries(paths).map(async ([name, path]) => [name, await openAsBlob(path)] as const);
  return new Map(await Promise.all(opened));
}

async function write(file: OutputFile, directory: string): Promise<ProducedFile> {
  const { name, mediaType, blob } = file;
  const produced = { name, mediaType, bytes: blob.size, facts: await readFacts(file) };
  const path = join(directory, name);
  const hash = createHash('sha256');
  if (blob.size <= WHOLE_BYTES_MAX) {
    const bytes = new Uint8Array(await blob.arrayBuffer());
    await writeFile(path, bytes);
    return { ...produced, sha256Hex: hash.update(bytes).digest('hex') };
  }
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(Readable.fromWeb(blob.stream()), hashing, createWriteStream(path));
  return { ...produced, sha256Hex: hash.digest('hex') };
}

/** Reads the facts about a result. One that cannot be read, as a document, has none, and is a result all the same. */
async function readFacts({ mediaType, blob }: OutputFile): Promise<FileFacts> {
  const kind = MEDIA.find((each) => mediaType.startsWith(`${each}/`));
  if (!kind) return {};
  return await probeResult(blob, [kind]).then(
    ({ fileFacts }) => fileFacts,
    () => ({}),
  );
}

/** Kinds of failure that only the operator can mend. */
const LASTING_KINDS: readonly (FailureKind | undefined)[] = ['model_damaged', 'model_unusable'];

/**
 * Finds what the failure of an engine means for a request that names it: no other attempt soon helps.
 * @returns undefined for any other failure
 */
function findEngineFault(
  operations: Record<string, Operation>,
  { operationId, params }: RunRequest,
  thrown: unknown,
): Pick<Failed, 'code' | 'field'> | undefined {
  if (!(thrown instanceof OperationError) || thrown.code !== 'unavailable') return undefined;
  const needs = operations[operationId]?.engineNeeds(params) ?? [];
  const named = needs.find(({ code }) => code === 'engine_unavailable');
  if (!named) return undefined;
  return { code: LASTING_KINDS.includes(thrown.kind) ? named.code : thrown.code, field: named.field };
}

function describe(thrown: unknown): Failed {
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  const end = { kind: 'failed', detail, isInputRejected: false, modelBytes: inference.bytes } as const;
  const outage = findRunOutage(thrown);
  if (outage) return { ...end, outage: outage.dependency, code: outage.code, message: outage.message };
  if (thrown instanceof OperationError) {
    const { code, message, field } = thrown;
    return { ...end, code, message, field, isInputRejected: INPUT_ERRORS.includes(code) };
  }
  if (thrown instanceof RangeError && /allocation failed/i.test(thrown.message)) {
    const message = 'The file needs more memory than a run may use. Use a smaller one.';
    return { ...end, code: 'over_memory', message };
  }
  return { ...end, code: 'internal', message: 'an internal error ended the run' };
}

/** Finds the outage that ended a run: of the disk, of a model server, or of the machine's memory. */
function findRunOutage(thrown: unknown): OutageError | undefined {
  if (thrown instanceof OperationError && thrown.kind === 'server_unreachable') {
    return new OutageError('model server', thrown);
  }
  const isRefused = thrown instanceof RangeError && /allocation failed/i.test(thrown.message);
  return isRefused && isMemoryExhausted() ? new OutageError('memory', thrown) : findOutage(thrown);
}

/** Makes this process a child that runs operations on request, until its parent is gone. */
export function serve(operations: Record<string, Operation>): void {
  const watched = watchChild(STUCK_SECONDS);
  process.on('message', (request: RunRequest | WeightsReply) => {
    if ('kind' in request) return;
    const times = request.timesStages ? createStageTimes() : undefined;
    const report = (end: Done | Failed) => send({ ...end, ...(times && { stages: times.list() }) });
    run(operations, request, { times, watched }).then(report, (thrown: unknown) =>
      report({ ...describe(thrown), ...findEngineFault(operations, request, thrown) }),
    );
  });
  send({ kind: 'ready' });
}

/** Records the files of weights that a run uses. Those of a model that failed, and was replaced, are left out. */
function recordWeights(inference: Inference): RecordedInference {
  const used = new Map<string, UsedWeights>();
  const record = ({ id, sha256 }: WeightCard): void => void used.set(sha256, { id, sha256 });
  return {
    inference: {
      availability: (card) => inference.availability(card),
      async use(card, options, work) {
        const result = await inference.use(card, options, work);
        record(card);
        return result;
      },
      async read(card, options) {
        const bytes = await inference.read(card, options);
        record(card);
        return bytes;
      },
    },
    list: () => [...used.values()],
  };
}

/** Measures the stages of one run: one entry for each, however many calls there are. */
function createStageTimes(): StageTimes {
  const times = new Map<SpanName, StageTime>();
  return {
    list: () => [...times.values()],
    async time(stage, work) {
      const beganAtMs = Date.now();
      const startedAtMs = times.get(stage)?.startedAtMs ?? beganAtMs;
      const clockMs = performance.now();
      try {
        return await work();
      } finally {
        const { calls = 0, busyMs = 0 } = times.get(stage) ?? {};
        const tookMs = performance.now() - clockMs;
        times.set(stage, {
          stage,
          startedAtMs,
          endedAtMs: Date.now(),
          calls: calls + 1,
          busyMs: busyMs + tookMs,
        });
      }
    },
  };
}
