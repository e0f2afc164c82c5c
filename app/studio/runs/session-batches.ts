import { Cell } from '../../../models/core/cell.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { OperationId } from '../../../models/registry.ts';
import { RUNS_MAX } from '../../../workers/bridge/run-slots.ts';
import { describeWarnings, FAILURE_TEXTS } from '../failures/describe-failure.ts';
import { explainFailure } from '../failures/explain-failure.ts';
import { sizeTellsTime } from '../files/media-kind.ts';
import { recordRunTime } from '../run-times/stored-run-times.ts';
import { guardTab, sessionCell } from '../session/session.ts';
import { estimateMeasured } from '../tools/measured-times.ts';
import { TOOLS } from '../tools/tools.ts';
import type { FileResult, RunFile, RunRequest } from './batch.ts';
import { explainEngineFailure } from './engine-failures.ts';
import type { ItemRecord } from './item-record.ts';
import { LiveRun } from './live-run.ts';
import { ALL_SAVED, persistItems, type Unsaved } from './persist-items.ts';
import { nameResults } from './result-names.ts';
import { Batch } from './run-batch.ts';
import { runOnServer } from './run-on-server.ts';
import { createJob, deleteReplaced, storeResult } from './stored-results.ts';

type Options = Parameters<RunFile>[2];

const LEFT_OUT = 'Some encoder options work on this device only: the server left them out.';

/** Batch of a tool, which outlives its page: its runs continue while another page of the studio is shown. */
export interface SessionBatch {
  readonly batch: Batch;
  readonly live: LiveRun;
  readonly unsaved: Cell<Unsaved>;
}

const batches = new Map<OperationId, SessionBatch>();

/** Returns the batch of a tool in this tab. */
export function sessionBatch(operationId: OperationId): SessionBatch {
  // While the server renders there is no tab, only many visitors.
  if (typeof window === 'undefined') return create(operationId);
  const known = batches.get(operationId) ?? create(operationId);
  if (!batches.has(operationId)) {
    batches.set(operationId, known);
    void persistItems(
      known.batch,
      sessionCell<readonly ItemRecord[]>(`${operationId}/items`, []),
      known.unsaved,
    );
    known.batch.subscribe(() => guardTab(known.batch, known.batch.view().isRunning));
  }
  return known;
}

/** Removes the files of all tools in this tab, unless they are running. */
export function clearBatches(): void {
  for (const { batch } of batches.values()) batch.removeAll();
}

function create(operationId: OperationId): SessionBatch {
  const runFile = createRunFile(operationId);
  // Ids of an earlier page are smaller: it was opened earlier.
  const batch = new Batch(runFile, RUNS_MAX, Date.now());
  const live = new LiveRun(batch, runFile, {
    onReplaced({ result }) {
      // The browser may have lost its storage since.
      for (const { blob } of result.files) void deleteReplaced(blob).catch(() => {});
    },
  });
  return { batch, live, unsaved: new Cell(ALL_SAVED) };
}

/**
 * Returns the function that runs one file of a tool's batch, on the device or the server, and stores the result in
 * this browser.
 */
function createRunFile(operationId: OperationId): RunFile {
  return async (file, request, options) => {
    await request.prepare?.(file);
    const run = request.location === 'device' ? runOnDevice : runBatchedOnServer;
    const made = await run(operationId, file, request, options).catch(async (thrown) => {
      if (thrown instanceof OperationError && thrown.kind === 'unchanged') return keepFile(file);
      throw await explainFailure(thrown, file, operationId);
    });
    const { suffix, getSuffix = () => suffix } = TOOLS[operationId];
    const names = await findNames(operationId, file, request.paramsFor(file), made);
    const result: FileResult = { ...made, suffix: getSuffix(made.details ?? {}), ...(names && { names }) };
    const origin = { job: getJob(request), operationId, source: file.name };
    // A browser without space for a result, or without storage, stores nothing; the page shows the result all the
    // same.
    for (const { name, file: output } of nameResults(file, result)) {
      storeResult(name, output.blob, origin);
    }
    return result;
  };
}

/** Names of the jobs of this page, by what was requested at once. */
const jobs = new WeakMap<RunRequest, string>();

function getJob(request: RunRequest): string {
  const known = jobs.get(request) ?? createJob();
  jobs.set(request, known);
  return known;
}

/** Returns a file itself as its result, where a run would change nothing. */
function keepFile(file: File): FileResult {
  const name = `output.${file.name.split('.').pop()}`;
  return {
    files: [{ name, mediaType: file.type, blob: file }],
    warnings: [FAILURE_TEXTS.unchanged],
  };
}

/** Returns the names of a result that its params ask for, as the server makes them; undefined where they ask for none. */
async function findNames(
  operationId: OperationId,
  file: File,
  params: object,
  { files }: FileResult,
): Promise<readonly string[] | undefined> {
  const { OPERATIONS } = await import('../../../models/registry.ts');
  const { [operationId]: operation } = OPERATIONS;
  if (!operation.namePattern?.(params, 'output')) return undefined;
  const [{ nameResult }, { probeImageFile }] = await Promise.all([
    import('../../../models/core/operation/result-file.ts'),
    import('../files/open-bitmap.ts'),
  ]);
  return await Promise.all(
    files.map(async ({ name, blob }, at) => {
      const { width, height } = await probeImageFile(blob);
      const facts = { width, height };
      return nameResult(operation, file.name, name, { params, facts, number: at + 1 });
    }),
  );
}

async function runOnDevice(
  operationId: OperationId,
  file: File,
  { paramsFor, settings = {}, isAutomatic = false }: RunRequest,
  options: Options,
): Promise<FileResult> {
  const startedAtMs = performance.now();
  const params = paramsFor(file);
  // With the first run: a page without a file does without.
  const { runTimed } = await import('../run-times/run-timed.ts');
  const result = await runTimed(operationId, file, params, {
    ...options,
    settings,
    isInBackground: isAutomatic,
    measuredSeconds: (work) => estimateMeasured(operationId, work)?.seconds,
  }).catch(async (thrown) => {
    throw await explainEngineFailure(thrown, { operationId, file, params, isAutomatic });
  });
  if (sizeTellsTime(file)) recordRunTime(operationId, file, (performance.now() - startedAtMs) / 1000);
  return { ...result, warnings: await describeWarnings(operationId, result.warnings) };
}

async function runBatchedOnServer(
  operationId: OperationId,
  file: File,
  { paramsFor, settings }: RunRequest,
  options: Options,
): Promise<FileResult> {
  const result = await runOnServer(operationId, file, paramsFor(file), options);
  return settings ? { ...result, warnings: [...result.warnings, LEFT_OUT] } : result;
}
