import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { OperationId } from '../types.ts';
import { EXIT, type ExitCode, exitCodeOf, isFatal, UsageError } from './exit-codes.ts';
import {
  chooseOutputLocation,
  createExistsError,
  exists,
  firstOutputPath,
  isUrl,
  listOutputPaths,
  STANDARD,
  type StoredInput,
  saveFile,
  storeInput,
} from './files.ts';
import { formatOf, type ParsedFlags, replaceParamByFlag } from './flags.ts';
import { COMMANDS } from './operation-commands.ts';
import { createReport, describeFailure, type Report } from './report.ts';
import type { Outcome, Target, Task } from './target.ts';
import { createProgressLine, type Terminal } from './terminal.ts';

interface Files extends ParsedFlags {
  readonly operation: OperationId;
}

/**
 * Runs an operation on all files, several at the same time, and prints each as it ends. A fault that every file would
 * meet keeps further ones from starting.
 * @returns the exit code of the first failure
 * @throws UsageError when a file is missing: then nothing has run
 */
export async function runFiles(surroundings: Terminal, target: Target, files: Files): Promise<ExitCode> {
  const { inputs } = files;
  // Standard output has the file, and nothing else.
  const terminal = writesToOutput(files) ? { ...surroundings, out: surroundings.err } : surroundings;
  await Promise.all(inputs.map((input) => assertReadable(terminal.cwd, input)));
  const progress = createProgressLine(terminal, inputs.length);
  const report = createReport(terminal, progress, files);
  const waiting = [...inputs];
  const codes: ExitCode[] = [];
  const isOver = () => terminal.signal.aborted || codes.some(isFatal);
  const work = async () => {
    for (let input = isOver() ? undefined : waiting.shift(); input !== undefined; ) {
      progress.update(input, 0);
      codes.push(await handle(input));
      progress.end(input);
      input = isOver() ? undefined : waiting.shift();
    }
  };
  const handle = async (input: string): Promise<ExitCode> => {
    let stored: StoredInput | undefined;
    try {
      if (input === STANDARD) stored = await storeInput(terminal);
      const task: Task = {
        operation: files.operation,
        params: files.params,
        signal: terminal.signal,
        input: stored?.path ?? (isUrl(input) ? input : resolve(terminal.cwd, input)),
        onProgress: (fraction) => progress.update(input, fraction),
      };
      if (files.quote) report.quoted(input, await target.quote(task));
      else await runOne(terminal, target, { ...files, task, input, report });
      return EXIT.done;
    } catch (thrown) {
      if (terminal.signal.aborted) return EXIT.interrupted;
      report.failed(
        input,
        describeFailure(thrown, (message) => replaceParamByFlag(files.operation, message)),
      );
      return exitCodeOf(thrown);
    } finally {
      await stored?.remove();
    }
  };
  await Promise.all(Array.from({ length: Math.min(files.jobs ?? target.jobs, inputs.length) }, work));
  progress.clear();
  if (terminal.signal.aborted) return EXIT.interrupted;
  if (waiting.length > 0) terminal.err(`${waiting.length} more not started.\n`);
  report.end();
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
}

async function runOne(terminal: Terminal, target: Target, run: OneRun): Promise<void> {
  const { cwd, signal } = terminal;
  const { task, input, report, out, force, inputs, operation, params } = run;
  if (writesToOutput(run)) {
    return await target.run(task, async (outcome) => {
      for (const file of outcome.files) await terminal.writeFile(await file.open());
      report.completed(input, outcome, outcome.files.length > 0 ? [STANDARD] : []);
    });
  }
  const command = COMMANDS[operation];
  const place = await chooseOutputLocation(command, input, { cwd, out, inputCount: inputs.length });
  const expected = firstOutputPath(command, place, input, formatOf(operation, params));
  if (!force && (await exists(expected))) throw createExistsError(expected);
  await target.run(task, async (outcome) => {
    const paths = listOutputPaths(
      place,
      outcome.files.map(({ name }) => name),
    );
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

async function assertReadable(cwd: string, input: string): Promise<void> {
  if (isUrl(input) || input === STANDARD) return;
  const info = await stat(resolve(cwd, input)).catch(() => null);
  if (!info) throw new UsageError(`${input}: there is no such file.`);
  if (!info.isFile()) throw new UsageError(`${input}: is not a file.`);
}
