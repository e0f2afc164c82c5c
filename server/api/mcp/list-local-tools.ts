import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { getCommand, type Operation } from '../../../models/core/operation/define-operation.ts';
import { itemSchema } from '../../../models/core/operation/request.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { describeInputs } from './list-tools.ts';

/** Argument of every tool that says where its result goes. */
const OUT = {
  type: 'string',
  description:
    'Path of the result, or of its folder. By default it lies next to the input. No file is overwritten.',
};

/** Lists the tools of an agent that run on its own machine, where there are neither jobs nor prices. */
export function listLocalTools(): Tool[] {
  return Object.values(OPERATIONS).map(localTool);
}

function localTool(operation: Operation): Tool {
  const { summary, title } = operation;
  const { choice, schema, byUrl } = describeInputs(operation, itemSchema(operation));
  const { properties = {} } = schema;
  const fields = Object.entries(properties).map(([name, field]): [string, object] => {
    if (!byUrl.includes(name)) return [name, field];
    const { description = '' }: { description?: unknown } = Object(field);
    return [name, { type: 'string', description: `${description} Its path on this machine, or its URL.` }];
  });
  return {
    name: getCommand(operation).name,
    title,
    description: `${summary}${choice} Runs on this machine, at no charge. Returns the paths of the results.`,
    inputSchema: { ...schema, properties: { ...Object.fromEntries(fields), out: OUT } },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  };
}
