import { Cell } from '../../../models/core/cell.ts';
import type { InputFacts } from '../../../models/core/operation/inputs.ts';
import type { ReportProgress } from '../../../models/core/runtime/progress.ts';
import type { RunnableId } from '../../../models/registry.ts';
import type { MeasuredUpload } from './server-run.ts';

/** Files that only the server can measure, as far as it has. */
const measured = new WeakMap<Blob, MeasuredUpload>();

/** Uploads that wait for their run. */
const unused = new WeakSet<MeasuredUpload>();

/** Changes with each file that the server has measured. */
export const serverFactsRevision = new Cell(0);

/** Returns what the server has found in a file; undefined where it was not asked. */
export const getServerFacts = (file: Blob): InputFacts | undefined => measured.get(file)?.facts;

/** Returns the URL of a measured file to its first run: it may be gone for another one. */
export function takeUpload(file: Blob): string | undefined {
  const upload = measured.get(file);
  return upload && unused.delete(upload) ? upload.uploadUrl : undefined;
}

/**
 * Sends a file to the server to learn its facts, on which its price depends. That costs nothing.
 * @throws OperationError as `measureOnServer`
 */
export async function askForFacts(
  operationId: RunnableId,
  file: File,
  params: object,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: ReportProgress },
): Promise<void> {
  const [{ loadOperations }, { measureOnServer }, { fetchWithProgress }] = await Promise.all([
    import('../../../workers/operation/load-operations.ts'),
    import('./server-run.ts'),
    import('../../../clients/typescript/src/browser.ts'),
  ]);
  const { [operationId]: operation } = await loadOperations();
  const upload = await measureOnServer({
    origin: location.origin,
    fetch: fetchWithProgress,
    operation,
    file,
    params,
    signal,
    onProgress,
  });
  measured.set(file, upload);
  unused.add(upload);
  serverFactsRevision.set((before) => before + 1);
}
