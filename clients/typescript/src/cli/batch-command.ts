import { resolve } from 'node:path';
import { type BatchItem, type Client, createClient } from '../client.ts';
import { mediaOfName, openFile } from '../node.ts';
import { OPERATIONS } from '../operations.ts';
import type { BatchableId, Job, SharedParamsOf } from '../types.ts';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import { expandInputs } from './expand-inputs.ts';
import {
  assertReadable,
  createExistsError,
  exists,
  inputName,
  isUrl,
  listOutputPaths,
  type PlannedOutput,
  planOutputs,
  STANDARD,
} from './files.ts';
import { FILE_COMMANDS, findFileOperation, getFormat, type ParsedFlags, parseFlags } from './flags.ts';
import { COMMANDS } from './operation-commands.ts';
import { createReport, describeFailure } from './report.ts';
import { saveAll } from './run-files.ts';
import { readSettings } from './settings.ts';
import type { Outcome } from './target.ts';
import { createProgressLine, type Terminal } from './terminal.ts';

const USAGE = 'Usage: darkroom batch COMMAND [OPTIONS] FILE...';
const ITEMS_MAX = 100;

type Item = NonNullable<NonNullable<Job['output']>['items']>[number];

/**
 * Runs an operation on files as one job, and saves the result of each.
 * @returns `failed` when an item failed
 * @throws UsageError, JobFailedError and refusals of the service
 */
export async function runBatchCommand(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const [name = '', ...rest] = args;
  const id = findFileOperation(name);
  if (!id || !('batchPath' in OPERATIONS[id])) {
    const choices = FILE_COMMANDS.filter(([known]) => 'batchPath' in OPERATIONS[known])
      .map(([, command]) => command.name)
      .join(', ');
    throw new UsageError(`${name || 'COMMAND'}: choose ${choices}. ${USAGE}`);
  }
  const operation = id as BatchableId;
  const flags = parseFlags(operation, rest);
  const { params, force, json, cache, local, quote } = flags;
  if (local || quote || flags.inputs.includes(STANDARD)) {
    throw new UsageError(`--local, --quote and - do not go with a batch. ${USAGE}`);
  }
  const { cwd, signal } = terminal;
  const { inputs, isMany } = await expandInputs(operation, cwd, flags.inputs);
  if (inputs.length > ITEMS_MAX) {
    throw new UsageError(`A batch has at most ${ITEMS_MAX} files, not ${inputs.length}. Leave out "batch".`);
  }
  await Promise.all(inputs.map((input) => assertReadable(cwd, input)));
  const format = getFormat(operation, params);
  const plans = await planOutputs(COMMANDS[operation], cwd, { ...flags, inputs, isMany, format });
  if (!force) await assertFree(plans);
  const client = createClient(await readSettings(terminal.env));
  const items = await Promise.all(
    inputs.map(async (input): Promise<BatchItem<BatchableId>> => {
      const media = mediaOfName(inputName(input));
      return { input: isUrl(input) ? input : await openFile(resolve(cwd, input)), ...(media && { media }) };
    }),
  );
  const progress = createProgressLine(terminal, 1);
  // The flags follow the operation's own schema.
  const job = await client.runBatch(operation, items, params as SharedParamsOf<BatchableId>, {
    signal,
    cache,
    onProgress: (state) => progress.update(state.request_id, state.progress),
  });
  const report = createReport(terminal, progress, { json, inputs });
  let hasFailed = false;
  for (const [at, input] of inputs.entries()) {
    const item = job.output.items?.[at];
    const place = plans[at]?.place;
    if (!item || !place) throw new Error(`${input}: the batch has no result for it.`);
    if (item.status === 'failed') {
      hasFailed = true;
      const { error, code } = item;
      const failure = { code: code ?? null, message: String(error), advice: null, requestId: job.request_id };
      report.failed(input, failure);
      continue;
    }
    const outcome = createItemOutcome(client, job, { item, isNamed: isNamed(params) }, signal);
    const paths = listOutputPaths(place, outcome.files);
    try {
      await saveAll(outcome, paths, { force, signal });
    } catch (thrown) {
      signal.throwIfAborted();
      // The others are paid for as well.
      hasFailed = true;
      report.failed(input, describeFailure(thrown));
      continue;
    }
    report.completed(input, outcome, paths);
  }
  return hasFailed ? EXIT.failed : EXIT.done;
}

/** @throws Error for a file that exists */
async function assertFree(plans: readonly PlannedOutput[]): Promise<void> {
  for (const { expected } of plans) {
    if (expected !== null && (await exists(expected))) throw createExistsError(expected);
  }
}

/** Reports whether params name the files of results. */
function isNamed({ output_name }: ParsedFlags['params']): boolean {
  return output_name !== undefined;
}

interface ItemOptions {
  readonly item: Item;
  /** Whether the params name the files. */
  readonly isNamed: boolean;
}

function createItemOutcome(
  client: Client,
  job: Job,
  { item, isNamed }: ItemOptions,
  signal: AbortSignal,
): Outcome {
  const { status: _, ...result } = item as Item & {
    readonly files?: readonly { readonly name: string }[];
    readonly media_url?: readonly string[];
    readonly output_url?: string;
    readonly warnings?: readonly string[];
    readonly engine?: string | null;
    readonly charged_usd?: string;
  };
  const urls = result.media_url ?? (result.output_url === undefined ? [] : [result.output_url]);
  return {
    files: urls.map((url, at) => ({
      name: inputName(url),
      title: isNamed ? result.files?.[at]?.name : undefined,
      open: async () => (await client.download(url, signal)).body ?? new Blob([]).stream(),
    })),
    requestId: job.request_id,
    engine: result.engine ?? null,
    warnings: result.warnings ?? [],
    chargedUsd: result.charged_usd ?? null,
    result,
  };
}
