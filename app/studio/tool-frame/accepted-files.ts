import type { OperationId } from '../../../models/registry.ts';
import { TOOLS } from '../tools/tools.ts';

/** Returns the kinds of files that a tool accepts, as file pickers read them. */
export function getAccept(operationId: OperationId): string {
  const { takes, extensions } = TOOLS[operationId];
  return [...takes.map((kind) => `${kind}/*`), ...extensions].join(',');
}
