import { resolve } from 'node:path';
import type { OperationId } from '../types.ts';
import { EXIT, type ExitCode, getExitCode, isFatal } from './exit-codes.ts';
import { expandInputs } from './expand-inputs.ts';
import {
  assertReadable,
  createExistsError,
  exists,
  isUrl,
  listOutputPaths,
  type PlannedOutput,
  planOutputs,
  STANDARD,
  type StoredInput,
  saveFile,
  storeInput,
} from './files.ts';
import { getFormat, type ParsedFlags, replaceParamByFlag } from './flags.ts';
import { COMMANDS } from './operation-commands.ts';
import { createReport, describeFailure, type Report } from './report.ts';
import type { Outcome, Target, Task } from './target.ts';
import { createProgressLine, type ProgressLine, type Terminal } from './terminal.ts';

interface Files extends ParsedFlags {
  readonly operation: OperationId;
  /** Whether results belong into a folder, though there is but one. */
  readonly isMany?: boolean;
}

/**
 * Runs an operation on all files, several at the same time, and prints each as it ends.
 * @returns the exit code of the first failure
 * @throws UsageError when a file is missing: then nothing has run
 */
export async function runFiles(surroundings: Terminal, target: Target, given: Files): Promise<ExitCode> {
  const { inputs, isMany } = await expandInputs(given.operation, surroundings.cwd, given.inputs);
  const files = { ...given, inputs, isMany };
  // Standard output has the file, and nothing else.
  const terminal = writesToOutput(files) ? { ...surroundings, out: surroundings.err } : surroundings;
  await Promise.all(inputs.map((input) => assertReadable(terminal.cwd, input)));
  const format = getFormat(files.operation, files.params);
  const savesFiles = !files.quote && !writesToOutput(files);
  const plans = savesFiles
    ? await planOutputs(COMMANDS[files.operation], terminal.cwd, { ...files, format })
    : [];
  const progress = createProgressLine(terminal, inputs.length);
  const report = createReport(terminal, progress, files);
  const handle = async (input: string): Promise<void> => {
    let stored: StoredInput | undefined;
    try {
      if (input === STANDARD) stored = await storeInput(terminal);
      const task: Task = {
        operation: files.operation,
        params: files.params,
        signal: terminal.signal,
        input: stored?.path ?? findInput(terminal, input),
        onProgress: (fraction) => progress.update(input, fraction),
      };
      if (files.quote) report.quoted(input, await target.quote(task));
      else
        await runOne(terminal, target, { ...files, task, input, report, plan: plans[inputs.indexOf(input)] });
    } finally {
      await stored?.remove();
    }
  };
  const word = (message: string) => replaceParamByFlag(files.operation, message);
  const jobs = files.jobs ?? target.jobs;
  const code = await runEach(terminal, inputs, { json: files.json, jobs, report, progress, word, handle });
  if (code !== EXIT.interrupted) report.end();
  return code;
}

/** Returns an input as a task names it: a URL, or an absolute path. */
export function findInput({ cwd }: Terminal, input: string): string {
  return isUrl(input) ? input : resolve(cwd, input);
}

interface EachOptions {
  readonly json: boolean;
  /** Files at the same time. */
  readonly jobs: number;
  readonly report: Report;
  readonly progress: ProgressLine;
  /** Replaces the API's names in the message of a failure. */
  word(message: string): string;
  handle(input: string): Promise<void>;
}

/**
 * Handles inputs, several at the same time, and prints each that fails. A fault that every file would meet keeps further
 * ones from starting.
 * @returns the exit code of the first failure
 */
export async function runEach(
  terminal: Terminal,
  inputs: readonly string[],
  { json, jobs, report, progress, word, handle }: EachOptions,
): Promise<ExitCode> {
  const waiting = [...inputs];
  const codes: ExitCode[] = [];
  let hasToldFault = false;
  const isOver = () => terminal.signal.aborted || codes.some(isFatal);
  const tryInput = async (input: string): Promise<ExitCode> => {
    try {
      await handle(input);
      return EXIT.done;
    } catch (thrown) {
      if (terminal.signal.aborted) return EXIT.interrupted;
      const code = getExitCode(thrown);
      // Files that run at the same time meet the same fault: people read it once.
      if (json || !isFatal(code) || !hasToldFault) report.failed(input, describeFailure(thrown, word));
      hasToldFault ||= isFatal(code);
      return code;
    }
  };
  const work = async () => {
    for (let input = isOver() ? undefined : waiting.shift(); input !== undefined; ) {
      progress.update(input, 0);
      codes.push(await tryInput(input));
      progress.end(input);
      input = isOver() ? undefined : waiting.shift();
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, inputs.length) }, work));
  progress.clear();
  if (terminal.signal.aborted) return EXIT.interrupted;
  if (waiting.length > 0) terminal.err(`${waiting.length} more not started.\n`);
  return codes.find((code) => code !== EXIT.done) ?? EXIT.done;
}

/** Reports whether the result goes to standard output: that of standard input does by default. */
function writesToOutput({ out, inputs, quote }: Files): boolean {
  return !quote && (out === STANDARD || (out === undefined && inputs.includes(STANDARD)));
}

interface OneRun extends Files {
  readonly task: Task;
  readonly input: string;
  readonly report: Report;
  /** Absent for a result that goes to standard output. */
  readonly plan: PlannedOutput | undefined;
}

async function runOne(terminal: Terminal, target: Target, run: OneRun): Promise<void> {
  const { signal } = terminal;
  const { task, input, report, force, plan } = run;
  if (!plan) {
    return await target.run(task, async (outcome) => {
      for (const file of outcome.files) await terminal.writeFile(await file.open());
      report.completed(input, outcome, outcome.files.length > 0 ? [STANDARD] : []);
    });
  }
  const { place, expected } = plan;
  if (!force && expected !== null && (await exists(expected))) throw createExistsError(expected);
  await target.run(task, async (outcome) => {
    const paths = listOutputPaths(place, outcome.files);
    await saveAll(outcome, paths, { force, signal });
    report.completed(input, outcome, paths);
  });
}

/** Saves the results of a run. @throws Error that says how to get them later when one cannot be saved */
export async function saveAll(
  { files, requestId }: Outcome,
  paths: readonly string[],
  options: { readonly force: boolean; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for (const [at, file] of files.entries()) await saveFile(paths[at] ?? '', await file.open(), options);
  } catch (thrown) {
    if (requestId === null || options.signal.aborted || !(thrown instanceof Error)) throw thrown;
    const later = `The service still has the result: "darkroom get ${requestId}".`;
    throw new Error(`${thrown.message} ${later}`, { cause: thrown });
  }
}
