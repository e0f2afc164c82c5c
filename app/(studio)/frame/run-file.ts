import { OperationError } from '../../../models/errors.ts';
import type { OperationId } from '../../../models/registry.ts';
import { run } from '../../../workers/bridge.ts';
import { notePace } from '../kept-pace.ts';
import { keepResult } from '../recent/store.ts';
import { readApiKey } from '../settings/api-key.ts';
import type { FileResult, RunFile } from './batch.ts';
import { namedResults } from './results.ts';

/** How the batch of a tool runs one file: where it is told to. What comes of it is kept in this browser. */
export function runFileOf(operationId: OperationId): RunFile {
  return async (file, { paramsFor, where }, options) => {
    const params = paramsFor(file);
    const result: FileResult =
      where === 'device'
        ? await runHere(operationId, file, params, options)
        : await runThere(operationId, file, params, options);
    // A browser that has no room for a result, or forbids it, keeps nothing; it is on the page all the same.
    for (const { name, file: output } of namedResults(file, result)) {
      keepResult(name, output.blob).catch(() => {});
    }
    return result;
  };
}

async function runHere(
  operationId: OperationId,
  file: File,
  params: object,
  { signal, onProgress }: Parameters<RunFile>[2],
): Promise<FileResult> {
  const startedAtMs = performance.now();
  const result = await run(operationId, file, params, {
    signal,
    onProgress: (fraction, count, isLoading) => onProgress({ fraction, count, isLoading }),
  });
  notePace(operationId, file, (performance.now() - startedAtMs) / 1000);
  return result;
}

/** Loaded when somebody asks for the server, so that no page carries it before. */
async function runThere(
  operationId: OperationId,
  file: File,
  params: object,
  { signal, onProgress }: Parameters<RunFile>[2],
): Promise<FileResult> {
  const apiKey = readApiKey();
  if (apiKey === null)
    throw new OperationError('unauthorized', 'The server needs a key. Add it in Settings.');
  const [{ OPERATIONS }, { runOnServer }, { sendFile }] = await Promise.all([
    import('../../../models/registry.ts'),
    import('../server-run.ts'),
    import('../send-file.ts'),
  ]);
  const operation = OPERATIONS[operationId];
  // What the server would refuse is not sent.
  const { facts } = await operation.quote(file, params);
  // Named by its bytes: for some files the system knows no media type.
  const typed = file.slice(0, file.size, facts.mediaType);
  const { chargedUsd, ...result } = await runOnServer({
    ...{ baseUrl: '/api', apiKey, operation, file: typed, params, sendFile, signal },
    onProgress: (fraction, step) => onProgress({ fraction, step }),
  });
  return { ...result, server: { sentBytes: file.size, chargedUsd } };
}
