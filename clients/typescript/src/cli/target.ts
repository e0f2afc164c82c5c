import { type Client, createClient } from '../client.ts';
import { mediaOfName, openFile } from '../node.ts';
import type { Job, OperationId, ParamsOf, Quote } from '../types.ts';
import { inputName, isUrl } from './files.ts';
import type { Settings } from './settings.ts';

/** Run of an operation on a file or URL. */
export interface Task {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, unknown>>;
  /** Absolute path, or URL. */
  readonly input: string;
  readonly signal: AbortSignal;
  /** @param fraction of the work, 0 to 1 */
  readonly onProgress: (fraction: number) => void;
}

interface ResultFile {
  readonly name: string;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

export interface Outcome {
  readonly files: readonly ResultFile[];
  /** Request at the service; null for a run on this machine. */
  readonly requestId: string | null;
  readonly engine: string | null;
  readonly warnings: readonly string[];
  /** Decimal amount in US dollars; null for a run on this machine. */
  readonly chargedUsd: string | null;
  /** Findings of the run, in the API's names; null without any. */
  readonly result: object | null;
}

/** Place that runs operations: the service, or this machine. */
export interface Target {
  /** Files at the same time, unless the user says otherwise. */
  readonly jobs: number;
  /**
   * Runs a task.
   * @param save stores the results, which are gone afterwards
   */
  run(task: Task, save: (outcome: Outcome) => Promise<void>): Promise<void>;
  /** Returns the price of a task. @throws UsageError where runs cost nothing */
  quote(task: Task): Promise<Quote>;
  close(): Promise<void>;
}

const JOBS = 4;

/** Opens the service as the place that runs operations. */
export function createServiceTarget(settings: Settings, options: { readonly cache?: boolean } = {}): Target {
  const client = createClient(settings);
  const { cache } = options;
  const call = async ({ operation, params, input, signal }: Task) => {
    const media = mediaOfName(inputName(input));
    const file = isUrl(input) ? input : await openFile(input);
    // The flags follow the operation's own schema.
    return [operation, file, params as ParamsOf<OperationId>, { signal, ...(media && { media }) }] as const;
  };
  return {
    jobs: JOBS,
    async run(task, save) {
      const [id, input, params, options] = await call(task);
      const onProgress = ({ progress }: Job) => task.onProgress(progress);
      const job = await client.run(id, input, params, { ...options, cache, onProgress });
      await save(createOutcome(client, job, task.signal));
    },
    quote: async (task) => await client.quote(...(await call(task))),
    async close() {},
  };
}

/** Builds the outcome of a completed job. */
export function createOutcome(client: Client, job: Job, signal: AbortSignal): Outcome {
  const { request_id, engine, warnings, billing, output } = job;
  const files = (output?.media_url ?? []).map(
    (url): ResultFile => ({
      name: inputName(url),
      async open() {
        const { body } = await client.download(url, signal);
        return body ?? new Blob([]).stream();
      },
    }),
  );
  return {
    files,
    engine,
    warnings,
    requestId: request_id,
    chargedUsd: billing.charged_usd,
    result: output?.result ?? null,
  };
}
