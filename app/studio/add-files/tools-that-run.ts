import { toolsForRefused } from '../tools/refusals.ts';
import type { Tool } from '../tools/tool.ts';

/**
 * Returns the other tools whose limits a file keeps that one tool refuses. Loads the operation definitions, so that no
 * page bundle contains them.
 */
export async function toolsThatRun(refusing: Tool, file: File): Promise<readonly Tool[]> {
  const [{ OPERATIONS }, { requiredParams }] = await Promise.all([
    import('../../../models/registry.ts'),
    import('../../../models/core/device/required-params.ts'),
  ]);
  const tools = toolsForRefused(refusing, [file]).map(([tool]) => tool);
  const isTaken = async ({ operationId }: Tool) => {
    const operation = OPERATIONS[operationId];
    return operation.checkOnDevice(file, requiredParams(operation.params)).then(
      () => true,
      () => false,
    );
  };
  const taken = await Promise.all(tools.map(isTaken));
  return tools.filter((_tool, at) => taken[at]);
}
