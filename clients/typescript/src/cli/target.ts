import { type Client, createClient } from '../client.ts';
import { InvalidRequestError } from '../errors.ts';
import { mediaOfName, openFile } from '../node.ts';
import { createTransport } from '../transport.ts';
import type { Job, OperationId, ParamsOf, Quote } from '../types.ts';
import { UsageError } from './exit-codes.ts';
import { inputName, isUrl, type OutcomeFile } from './files.ts';
import { readSettings, type Settings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Params of a pipeline. */
export type Recipe = Readonly<Record<string, unknown>>;

/** Run of an operation on a file or URL. */
export interface Task {
  readonly operation: OperationId;
  readonly params: Readonly<Record<string, unknown>>;
  /** Absolute path, or URL. */
  readonly input: string;
  readonly signal: AbortSignal;
  /** Repeats a request of an earlier run without a second job. Defaults to a random key. */
  readonly idempotencyKey?: string;
  /** @param fraction of the work, 0 to 1 */
  readonly onProgress: (fraction: number) => void;
}

export interface Outcome {
  readonly files: readonly OutcomeFile[];
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
  /** Checks a recipe, before there is a file. @throws UsageError naming its field */
  checkRecipe(recipe: Recipe): Promise<void>;
  /** Returns the price of a task. @throws UsageError where runs cost nothing */
  quote(task: Task): Promise<Quote>;
  close(): Promise<void>;
}

const NO_LOCAL =
  '--local: not available here, since this package holds neither codecs nor models. Install Darkroom itself, and use its own command: npm run --silent darkroom -- COMMAND --local FILE...';

/** Opens this machine as the place that runs operations; absent where only the client is installed. */
export interface LocalAbility {
  readonly openLocal?: () => Promise<Target>;
}

/** Opens the service, or with `local` this machine. @throws UsageError where this package is all there is, KeyError */
export async function openTarget(
  { env }: Pick<Terminal, 'env'>,
  flags: { readonly local: boolean; readonly cache?: boolean },
  { openLocal }: LocalAbility,
): Promise<Target> {
  if (!flags.local) return createServiceTarget(await readSettings(env), flags);
  if (!openLocal) throw new UsageError(NO_LOCAL);
  return await openLocal();
}

const JOBS = 4;

/** Opens the service as the place that runs operations. */
function createServiceTarget(settings: Settings, options: { readonly cache?: boolean } = {}): Target {
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
      const { idempotencyKey, signal } = task;
      const onProgress = ({ progress }: Job) => task.onProgress(progress);
      const job = await client.run(id, input, params, { ...options, cache, idempotencyKey, onProgress });
      await save(createOutcome(client, job, { signal, params }));
    },
    checkRecipe: (recipe) => checkByQuote(settings, recipe),
    quote: async (task) => await client.quote(...(await call(task))),
    async close() {},
  };
}

/** Field that a request without a file lacks. */
const FILE_FIELD = 'image_url';

/** Checks a recipe by a quote without a file: the service reads all else first, and then asks for one. */
async function checkByQuote(settings: Settings, request: Recipe): Promise<void> {
  const body = { model_id: 'pipeline', request };
  await createTransport(settings)
    .json('/v2/quotes', { method: 'POST', body })
    .catch((thrown) => {
      if (!(thrown instanceof InvalidRequestError)) throw thrown;
      if (thrown.field !== FILE_FIELD) throw new UsageError(thrown.message, { cause: thrown });
    });
}

interface OutcomeOptions {
  readonly signal: AbortSignal;
  /** Params of the request, where they are known. */
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Builds the outcome of a completed job. */
export function createOutcome(client: Client, job: Job, { signal, params }: OutcomeOptions): Outcome {
  const { request_id, engine, warnings, billing, output, steps } = job;
  const isNamed = (name: string) => {
    const step = steps?.find(({ id }) => id === name.split('.')[0]);
    return Object(step ? step.params : params).output_name !== undefined;
  };
  const files = (output?.media_url ?? []).map((url, at): OutcomeFile => {
    const name = inputName(url);
    return {
      name,
      title: isNamed(name) ? output?.files[at]?.name : undefined,
      async open() {
        const { body } = await client.download(url, signal);
        return body ?? new Blob([]).stream();
      },
    };
  });
  return {
    files,
    engine,
    warnings,
    requestId: request_id,
    chargedUsd: billing.charged_usd,
    result: output?.result ?? describeParts(output),
  };
}

/** Returns the findings of the steps of a pipeline, or of the items of a batch; null for other jobs. */
function describeParts(output: Job['output']): object | null {
  if (output?.items) return { items: output.items };
  if (!output?.steps) return null;
  const { steps, stopped_by } = output;
  return { steps, ...(stopped_by !== undefined && { stopped_by }) };
}
