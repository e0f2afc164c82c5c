import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import type { ErrorCode } from '../../../models/core/operation/errors.ts';
import type { Lane } from '../../../models/core/operation/job.ts';
import type { Json } from '../../../models/core/operation/json.ts';
import { pickKnownParams } from '../../../models/core/operation/params.ts';
import { nameResult } from '../../../models/core/operation/result-file.ts';
import type { OperationLimits } from '../../../models/core/operation/run-result.ts';
import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import { isEmptyResult } from '../../../models/core/runtime/run-warnings.ts';
import { SPANS } from '../../../models/core/runtime/spans.ts';
import { findForcedOutcome } from '../../../models/test-mode/forced-outcomes.ts';
import type { Breakers } from '../../base/breakers.ts';
import type { Context } from '../../base/context.ts';
import { readDiskState, SMALL_BYTES_MAX } from '../../base/disk-reserve.ts';
import type { Dependency } from '../../base/outage.ts';
import { retryOnOutage } from '../../base/retry-on-outage.ts';
import { inSpan, SPAN, type Span } from '../../base/tracer.ts';
import { countParts, hasFailureBudget, recordFailures, type StoredFile, storeFiles } from '../index.ts';
import {
  type Done,
  decideRun,
  type LargestModelBytes,
  needsModelServer,
  type RunDecision,
  type RunEnd,
  type RunOptions,
  type RunRequest,
  type StageTime,
  type TestRun,
} from '../runs/index.ts';
import type { AttemptFences, UncountedAttempts } from './attempt-registry.ts';
import { type ChosenLimits, chooseLimits } from './choose-limits.ts';
import type { Lanes } from './lanes.ts';

export interface RunnerDeps {
  readonly ctx: Context;
  /** Name under which this runner takes entries of the queue. */
  readonly workerId: string;
  readonly lanes: Lanes;
  readonly operations: Readonly<Record<string, Operation>>;
  readonly largestModelBytes: LargestModelBytes;
  readonly fences: AttemptFences;
  readonly uncountedAttempts: UncountedAttempts;
  readonly breakers: Breakers;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
}

/** Dependencies of every run, which one that has ended shows to work. */
export const RUN_DEPENDENCIES: readonly Dependency[] = ['store', 'disk', 'memory', 'secrets key'];

/** Failures that do not show that the memory of the machine sufficed: its kernel ends processes when none is left. */
const MEMORY_FAILURES: readonly ErrorCode[] = ['crashed', 'over_memory'];

/** Verdicts on runs that cost the account nothing, though they have cost time. */
const FAILURES: readonly RunDecision['next'][] = ['fail', 'run-again'];

const OVER_BUDGET: RunOutcome = {
  next: 'fail',
  message:
    'Too many recent runs of this account failed by their inputs, so this one did not start. Check the files, and send them again later.',
  code: 'too_many_failures',
};

/** Run of an operation on stored files. */
export interface Run {
  readonly jobId: string;
  readonly accountId: string;
  readonly operation: Operation;
  /** Lane of the run. */
  readonly lane: Lane;
  readonly params: unknown;
  /** Facts about the input. */
  readonly facts: object;
  readonly inputKey: string;
  /** URL that the input was fetched from; null for any other input. */
  readonly sourceUrl: string | null;
  /** Name of the client's own input; null where none is known. */
  readonly inputName: string | null;
  /** Position among the items of a batch; absent for any other run. */
  readonly position?: number;
  /** Keys by param name. */
  readonly attachmentKeys: Readonly<Record<string, string>>;
  /** Existing folder of this run alone. */
  readonly directory: string;
  readonly onProgress: ReportProgress;
  /** Limits under which its slot and memory are reserved. Absent: it waits for them. */
  readonly reserved?: ChosenLimits;
}

/** Output of a run, with its files in storage. */
export interface RunOutput extends Pick<Done, 'engine' | 'warnings' | 'weights'> {
  readonly files: readonly StoredFile[];
  readonly details: Readonly<Record<string, Json>>;
}

export type RunOutcome =
  | { readonly next: 'complete'; readonly result: RunOutput }
  | Exclude<RunDecision, { next: 'complete' | 'wait' }>;

/**
 * Runs an operation in a child and stores its files. A run that fails by its input, or uses up its time, counts as
 * the account's failure; when there were too many since the request was accepted, no run starts.
 * @throws OutageError when the store, or anything else that a run needs, fails; OperationError `not_found` when the
 *   store has lost the input
 */
export async function runInChild(deps: RunnerDeps, run: Run): Promise<RunOutcome> {
  const { ctx, signal } = deps;
  const { operation, accountId, lane } = run;
  const { limits, ...model } = run.reserved ?? (await chooseLimits(deps, run));
  const outputDirectory = join(run.directory, 'out');
  // An older version may have accepted the job.
  const params = pickKnownParams(operation, run.params);
  const isServed = await needsModelServer(ctx, operation, params);
  // Put back before its input is fetched: the run would wait for the server in vain.
  if (isServed && !deps.breakers.mayStart(['model server'])) return { next: 'requeue' };
  const [hasBudget, given] = await Promise.all([
    retryOnOutage(() => hasFailureBudget(ctx, accountId)),
    inSpan(ctx, SPAN.fetch, () => fetchInputs(ctx, run)),
  ]);
  if (!hasBudget) return OVER_BUDGET;
  const timesStages = ctx.tracer !== undefined;
  const test = describeTest(run);
  const request = {
    operationId: operation.id,
    ...(test && { test }),
    params,
    ...given,
    ...model,
    outputDirectory,
    timesStages,
  };
  const claimant = { signal, accountId };
  const release = run.reserved
    ? () => {}
    : await deps.lanes.reserve(lane, limits.memoryBytesMax, claimant).catch(() => null);
  if (!release) return { next: 'requeue' };
  const verdict = await runWithSecondTry(deps, run, request, limits).finally(release);
  if (verdict.next === 'wait') throw verdict.outage;
  if (verdict.next !== 'complete') {
    // The store gave the input, and a child ran. One that completes has yet to store its files.
    if (verdict.next !== 'requeue') deps.breakers.recordSuccess(dependenciesExercisedBy(verdict.code));
    return verdict;
  }
  if (isServed) deps.breakers.recordSuccess(['model server']);
  if (!(await hasRoom(ctx, verdict.result))) {
    return { next: 'give-up', reason: 'the disk of the service is nearly full', code: 'storage_full' };
  }
  const { engine, warnings, weights, durationMs } = verdict.result;
  const made = verdict.result.files.map(({ sha256Hex, ...file }) => ({
    ...file,
    sha256: Buffer.from(sha256Hex, 'hex'),
    fileName: nameResult(operation, run.inputName, file.name, {
      params,
      facts: file.facts,
      number: (run.position ?? 0) + 1,
    }),
  }));
  const files = await inSpan(ctx, SPAN.store, () => storeFiles(ctx, run.jobId, made, outputDirectory));
  const details = { ...verdict.result.details, processing_ms: durationMs };
  return { next: 'complete', result: { files, engine, warnings, weights, details } };
}

/** Reports whether a result may be stored: none of more than 10 MB while the disk is nearly full. A bucket takes all. */
async function hasRoom({ env }: Context, { files }: Done): Promise<boolean> {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return bytes <= SMALL_BYTES_MAX || env.S3_BUCKET !== undefined || (await readDiskState(env)) === 'ample';
}

/** Describes what a test key's run is to do; undefined for any other run. */
function describeTest({ operation, sourceUrl }: Run): TestRun | undefined {
  return operation.isTest && { outcome: sourceUrl === null ? null : findForcedOutcome(sourceUrl) };
}

/** Lists the dependencies that a run shows to work, though it failed. */
function dependenciesExercisedBy(code: ErrorCode): readonly Dependency[] {
  const dies = MEMORY_FAILURES.includes(code);
  return RUN_DEPENDENCIES.filter(
    // Receipts are signed for completed runs only.
    (dependency) => dependency !== 'secrets key' && (!dies || dependency !== 'memory'),
  );
}

async function runWithSecondTry(
  deps: RunnerDeps,
  { accountId, lane, onProgress }: Run,
  request: RunRequest,
  limits: OperationLimits,
): Promise<RunDecision> {
  const { ctx, signal } = deps;
  let seconds = 0;
  let counted = 0;
  const once = async (): Promise<RunDecision> => {
    const { verdict, usedSeconds } = await runOnce(deps, lane, request, { limits, signal, onProgress });
    seconds += usedSeconds;
    // A failure that the account has forced cost nothing.
    const isFailure = isFree(verdict) && !request.test?.outcome;
    const count = isFailure ? countParts(seconds) : 0;
    await recordFailures(ctx, accountId, count - counted);
    counted = count;
    return verdict;
  };
  const verdict = await once();
  // The crash counts already: the account's other runs see it while this one is tried again.
  return verdict.next === 'run-again' ? await once() : verdict;
}

/** Reports whether a verdict costs the account nothing, though its run has taken time. */
function isFree(verdict: RunDecision): boolean {
  if (verdict.next === 'complete') {
    return isEmptyResult(verdict.result.warnings) || hasEmptyPart(verdict.result.details);
  }
  // An engine that cannot be had here is not the account's fault.
  return FAILURES.includes(verdict.next) || (verdict.next === 'give-up' && verdict.code === 'over_time');
}

/** Reports whether a part of a composite run is free: its own result is empty. */
function hasEmptyPart({ steps }: Done['details']): boolean {
  return Object.values({ ...(steps as Record<string, { is_empty?: Json }> | undefined) }).some(
    ({ is_empty }) => is_empty === true,
  );
}

/** Fetches input and attachments as local files. */
async function fetchInputs(
  { storage }: Context,
  { inputKey, attachmentKeys, directory }: Run,
): Promise<Pick<RunRequest, 'inputPath' | 'attachmentPaths'>> {
  const paths = Object.entries(attachmentKeys).map(
    async ([name, key]) => [name, await storage.toLocalFile(key, directory)] as const,
  );
  return {
    inputPath: await storage.toLocalFile(inputKey, directory),
    attachmentPaths: Object.fromEntries(await Promise.all(paths)),
  };
}

async function runOnce(
  { ctx, lanes }: RunnerDeps,
  lane: Lane,
  request: RunRequest,
  options: RunOptions,
): Promise<{ readonly verdict: RunDecision; readonly usedSeconds: number }> {
  await makeEmptyFolder(request.outputDirectory);
  const startedAtMs = performance.now();
  const attributes = { 'darkroom.operation': request.operationId, 'darkroom.lane': lane };
  const end = await inSpan(
    ctx,
    SPAN.run,
    async (_inner, span) => {
      const startMs = Date.now();
      const ended = await lanes.run(lane, request, options);
      if (span) describeRun(span, ended, startMs);
      return ended;
    },
    { attributes },
  );
  const verdict = decideRun(end, options.limits);
  if (end.kind !== 'done') ctx.log.warn({ end, next: verdict.next }, 'a run ended without a result');
  return { verdict, usedSeconds: readUsedSeconds(ctx, end) ?? (performance.now() - startedAtMs) / 1000 };
}

/**
 * Returns the time that a run has cost: that of the processor, which does not grow while other runs have it.
 * @returns undefined where only the clock tells: it was not measured, a model server may have computed instead, or the
 *   run held its slot until the end of its time
 */
function readUsedSeconds({ env }: Context, { kind, processorSeconds }: RunEnd): number | undefined {
  return env.INFERENCE_ENDPOINTS.size > 0 || kind === 'over-time' ? undefined : processorSeconds;
}

/** Makes a folder, without what an earlier try has left in it. */
async function makeEmptyFolder(path: string): Promise<void> {
  const isNew = await mkdir(path).then(
    () => true,
    () => false,
  );
  if (isNew) return;
  await rm(path, { recursive: true, force: true });
  await mkdir(path);
}

/**
 * Describes an ended run in its span, with a span for each stage that its child reports.
 * @param startMs Unix time of the run's start
 */
export function describeRun(span: Span, end: RunEnd, startMs: number): void {
  span.set({ 'darkroom.outcome': end.kind });
  if (end.kind === 'done') span.set({ 'darkroom.engine': end.engine });
  else span.fail(end.kind === 'failed' ? end.code : end.kind);
  if (end.kind !== 'done' && end.kind !== 'failed') return;
  const endMs = Date.now();
  for (const stage of SPANS) {
    const time = end.stages?.find((each) => each.stage === stage);
    if (time) writeStage(span, time, { startMs, endMs });
  }
}

/** Times come from a process that a file may have taken over: none leaves the run. */
function writeStage(
  span: Span,
  { stage, calls, busyMs, startedAtMs, endedAtMs }: StageTime,
  run: { readonly startMs: number; readonly endMs: number },
): void {
  const startMs = clamp(startedAtMs, run.startMs, run.endMs);
  const endMs = clamp(endedAtMs, startMs, run.endMs);
  const attributes = { 'darkroom.calls': Number(calls), 'darkroom.busy_ms': Math.round(Number(busyMs)) };
  span.start(stage, { startMs, attributes }).end(endMs);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, Number(value) || min));
}
