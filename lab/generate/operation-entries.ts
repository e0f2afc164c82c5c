import { batchPath } from '../../models/core/operation/batch.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../models/core/operation/direct-response.ts';
import type { Media } from '../../models/core/operation/inputs.ts';
import { OPERATIONS } from '../../models/registry.ts';

/** Facts about an operation that a client needs to call it. */
export interface OperationEntry {
  readonly path: string;
  readonly authentication: Operation['authentication'];
  /** Field of the input's URL, by kind. */
  readonly fields: Readonly<Partial<Record<Media, string>>>;
  readonly batchPath?: string;
  /** A client that leaves ends the job: no other request tells its state. */
  readonly isDirect?: true;
}

/** Returns what clients must know of each operation, by its id. */
export function operationEntries(): Readonly<Record<string, OperationEntry>> {
  const entries = Object.values(OPERATIONS).map((operation: Operation) => {
    const { id, path, authentication, inputs } = operation;
    const byUrl = Object.entries(inputs).filter(([, { encoding }]) => encoding === 'url');
    const fields = byUrl.flatMap(([field, { media }]) => media.map((kind) => [kind, field]));
    if (fields.length === 0) throw new Error(`${id} has no input by URL`);
    const entry: OperationEntry = {
      path,
      authentication,
      fields: Object.fromEntries(fields),
      ...(operation.batch && { batchPath: batchPath(operation) }),
      ...(isDirectOnly(operation) && { isDirect: true }),
    };
    return [id, entry] as const;
  });
  return Object.fromEntries(entries);
}
