import { type Client, createClient } from '../client.ts';
import { mediaOfName, openFile } from '../node.ts';
import type { Job, OperationId, ParamsOf } from '../types.ts';
import { inputName, isUrl } from './output-paths.ts';
import type { Settings } from './settings.ts';
import type { Outcome, ResultFile, Target, Task } from './target.ts';

const JOBS = 4;

/** Opens the service as the place that runs operations. */
export function createServiceTarget(settings: Settings): Target {
  const client = createClient(settings);
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
      const job = await client.run(id, input, params, { ...options, onProgress });
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
