import type { RunnableId } from '../../../models/registry.ts';
import { reportBalanceChange } from '../../account/use-balance.ts';
import { describeMessages } from '../failures/describe-failure.ts';
import type { FileResult, RunFile } from './batch.ts';
import { getServerFacts, takeUpload } from './server-facts.ts';

/**
 * Runs an operation on a file on the server. Loads the server client on first use, so that no page bundle contains it.
 * @throws OperationError as `runJob` does, and before anything is sent for what the server would reject
 */
export async function runOnServer(
  operationId: RunnableId,
  file: File,
  params: object,
  { signal, onProgress }: Parameters<RunFile>[2],
): Promise<FileResult> {
  const [{ loadOperations }, { runJob }, { fetchWithProgress }] = await Promise.all([
    import('../../../workers/operation/load-operations.ts'),
    import('./server-run.ts'),
    import('../../../clients/typescript/src/browser.ts'),
  ]);
  const { [operationId]: operation } = await loadOperations();
  // The server has measured what this page cannot.
  const facts = getServerFacts(file) ?? (await operation.quote(file, params)).facts;
  // Typed by its bytes: for some files the system reports no media type.
  const typed = file.slice(0, file.size, facts.mediaType);
  const { chargedUsd, ...result } = await runJob({
    origin: location.origin,
    fetch: fetchWithProgress,
    operation,
    file: typed,
    params,
    uploadUrl: takeUpload(file),
    signal,
    onProgress,
  }).finally(reportBalanceChange);
  const warnings = describeMessages(result.warnings);
  return { ...result, warnings, server: { sentBytes: file.size, chargedUsd } };
}
