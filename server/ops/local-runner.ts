import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, parse } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { responseBody } from '../../models/core/operation/direct-response.ts';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { InputFacts } from '../../models/core/operation/inputs.ts';
import { parseParams } from '../../models/core/operation/params.ts';
import { nameOfUrl, nameResult } from '../../models/core/operation/result-file.ts';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import { getMessages } from '../../models/core/runtime/run-warnings.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { ROOT } from '../base/children/compiled-parts.ts';
import { readEnv } from '../base/env.ts';
import { openFile } from '../base/open-file.ts';
import { makeOwnFolder, removeFoldersOfDead, removeOwnFolder } from '../base/own-folders.ts';
import { provideNodeFfmpeg } from '../base/provide-ffmpeg.ts';
import {
  createChildPool,
  createModelMemory,
  type Done,
  decideRun,
  type RunDecision,
} from '../jobs/runs/index.ts';
import { writeBundledGraphs } from './build/graphs/write-bundled-graphs.ts';

type Params = Readonly<Record<string, unknown>>;

/** Files of a run on this machine, checked as the service checks those of a request. */
interface LocalInput {
  readonly inputPath: string;
  /** Paths by param name. */
  readonly attachmentPaths: Readonly<Record<string, string>>;
  readonly facts: InputFacts;
}

interface LocalRunInput {
  /** Absolute path, or URL. */
  readonly input: string;
  readonly params: Params;
  /** Folder for files from URLs. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

const REGISTRY = fileURLToPath(new URL('../../models/registry.ts', import.meta.url));

/** The user ends a run that takes too long: no one else waits for the machine. */
const RUN_SECONDS_MAX = 86_400;

/** Run of an operation on a file of this machine. */
export interface LocalRun {
  readonly operation: keyof typeof OPERATIONS;
  readonly params: Params;
  /** Absolute path, or URL. */
  readonly input: string;
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

interface LocalFile {
  readonly name: string;
  readonly path: string;
  /** Name that the params ask for. */
  readonly title?: string | undefined;
}

/** Result of a run, with its files in a folder that is deleted once they are saved. */
export interface LocalResult {
  readonly engine: string;
  /** Sentences. */
  readonly warnings: readonly string[];
  readonly files: readonly LocalFile[];
  /** Findings in the form of the operation's direct response, or as the run names them. */
  readonly result: object;
}

/** Run of a job of the account on files of this machine, as an own worker takes it. */
export interface OwnDeviceRun extends Omit<LocalRun, 'input'> {
  readonly inputPath: string;
  /** Paths by param name. */
  readonly attachmentPaths: Readonly<Record<string, string>>;
  /** Existing empty folder for the files of the result. */
  readonly outputDirectory: string;
}

export interface LocalRunner {
  /**
   * Runs an operation on files that are here.
   * @returns what the run means for its job, as a runner of the service decides it
   * @throws OperationError for wrong params or inputs
   */
  decide(run: OwnDeviceRun): Promise<RunDecision>;
  /**
   * Runs an operation without account, database and service, in a child process as jobs run.
   * @param save stores the files of the result
   * @throws OperationError for wrong params or inputs, Error with the reason of any other failure, or the signal's
   *   reason
   */
  run(run: LocalRun, save: (result: LocalResult) => Promise<void>): Promise<void>;
  /** Ends all child processes. */
  close(): void;
}

/** Prepares this machine for runs. @param runsMax runs at the same time */
export async function openLocalRunner(runsMax: number): Promise<LocalRunner> {
  const env = readEnv();
  provideNodeFfmpeg();
  await removeFoldersOfDead(tmpdir());
  await writeBundledGraphs(ROOT);
  const largestModelBytes = createModelMemory(env);
  const memoryBytesMax = Math.max(...Object.values(OPERATIONS).map(({ limits }) => limits.memoryBytesMax));
  const pool = createChildPool({
    operationsModule: REGISTRY,
    memoryBytesMax,
    // The end of a run says all that its user needs.
    log: { error() {} },
    size: runsMax,
    warmCount: 0,
  });

  const decide = async (run: OwnDeviceRun, facts: InputFacts): Promise<RunDecision> => {
    const { signal, onProgress, params, operation: operationId, ...paths } = run;
    const modelBytes = await largestModelBytes(operationId);
    const { memoryBytesMax } = OPERATIONS[operationId].limitsFor(facts, params, modelBytes);
    const limits = { memoryBytesMax, runSecondsMax: RUN_SECONDS_MAX };
    const end = await pool.run({ operationId, params, ...paths }, { limits, signal, onProgress });
    return decideRun(end, limits);
  };
  const runIn = async (directory: string, run: LocalRun): Promise<LocalResult> => {
    const operation: Operation = OPERATIONS[run.operation];
    const params = completeParams(operation, run.params);
    const { facts, ...paths } = await openLocalInput(operation, { ...run, params, directory });
    const outputDirectory = join(directory, 'out');
    await mkdir(outputDirectory);
    const verdict = await decide({ ...run, ...paths, params, outputDirectory }, facts);
    run.signal.throwIfAborted();
    if (verdict.next === 'complete') {
      return getResult(operation, verdict.result, { input: run.input, params, directory: outputDirectory });
    }
    if ('message' in verdict) throw new Error(verdict.message);
    const reason = 'reason' in verdict ? verdict.reason.replace(/\.$/, '') : 'its process ended';
    throw new Error(`The run failed: ${reason}.`);
  };

  return {
    async decide(run) {
      return await decide(run, await readInputFacts(OPERATIONS[run.operation], run.inputPath, run.params));
    },
    async run(run, save) {
      const directory = makeOwnFolder(tmpdir());
      try {
        await save(await runIn(directory, run));
      } finally {
        removeOwnFolder(directory);
      }
    },
    close: pool.close,
  };
}

/**
 * Checks a recipe for runs on this machine.
 * @throws OperationError naming the field
 */
export function parseRecipe(recipe: Params): void {
  const { pipeline } = OPERATIONS;
  parseParams(pipeline.params, completeParams(pipeline, recipe));
}

function completeParams({ complete }: Operation, params: Params): Params {
  return (complete?.(params) as Params | undefined) ?? params;
}

interface FinishedRun {
  readonly input: string;
  readonly params: Params;
  readonly directory: string;
}

function getResult(
  operation: Operation,
  { engine, warnings, details, durationMs, files }: Done,
  { input, params, directory }: FinishedRun,
): LocalResult {
  const finished = { details: { ...details, processing_ms: durationMs }, urls: [], charged: 0n };
  const result = operation.response
    ? responseBody(operation.response, { ...finished, processingMs: durationMs })
    : details;
  const inputName = /^https?:/i.test(input) ? nameOfUrl(input) : basename(input);
  return {
    engine,
    warnings: getMessages(warnings),
    result,
    files: files.map(({ name, facts }) => {
      const isNamed = operation.namePattern?.(params, parse(name).name) !== undefined;
      const title = isNamed
        ? nameResult(operation, inputName, name, { params, facts, number: 1 })
        : undefined;
      return { name, path: join(directory, name), title };
    }),
  };
}

/**
 * Opens the input of a run, and fetches what is given by URL.
 * @throws OperationError for wrong params or files, `unfetchable` for a URL without a file
 */
async function openLocalInput(
  operation: Operation,
  { input, params, directory, signal }: LocalRunInput,
): Promise<LocalInput> {
  const attachments = operation.attachments(params);
  const inputPath = /^https?:/i.test(input)
    ? await fetchFile(input, join(directory, 'input'), signal)
    : input;
  const facts = await readInputFacts(operation, inputPath, params);
  const fetched = attachments.map(async ({ name, url, media: kinds }) => {
    const path = await fetchFile(url, join(directory, `attachment-${name}`), signal);
    await operation.probe(await openFile(path), kinds);
    return [name, path] as const;
  });
  return { inputPath, attachmentPaths: Object.fromEntries(await Promise.all(fetched)), facts };
}

/** Reads the facts of an input. @throws OperationError for wrong params or a file of another kind */
async function readInputFacts(operation: Operation, path: string, params: Params): Promise<InputFacts> {
  const kinds = Object.values(operation.inputs).flatMap((field) => field.media);
  // The bytes tell which of the many kinds of a pipeline a file has.
  const media = operation.isComposite ? undefined : kinds;
  const { facts } = await operation.quote(await openFile(path), params, media);
  return facts;
}

/** Fetches a file by its user's own network rights. @returns its path */
async function fetchFile(url: string, path: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new OperationError('unfetchable', `${url} cannot be fetched.`, { cause });
  });
  if (!response.ok || !response.body) {
    throw new OperationError('unfetchable', `${url} cannot be fetched: HTTP status ${response.status}.`);
  }
  const body = Readable.fromWeb(response.body);
  await pipeline(body, createWriteStream(path), { signal });
  return path;
}
