import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { getCommand, type Operation } from '../../../models/core/operation/define-operation.ts';
import { formatUsd } from '../../../models/core/operation/money.ts';
import { itemSchema, requestSchema } from '../../../models/core/operation/request.ts';
import { withoutGplFormats } from '../../../models/media/image/gpl-formats.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { type Context, getOperations } from '../../base/context.ts';
import { FURTHER_TOOLS } from './tools.ts';

/** Fields of a request of which a tool makes no use: it waits by itself. */
const UNUSED_FIELDS: readonly string[] = ['sync_mode'];

/** Argument of every operation's tool, for a run even where the service has the result of the same request. */
const NO_CACHE = {
  type: 'boolean',
  default: false,
  description: 'Run again, even where the service has the result of the same call.',
};

/** Lists the tools of agents: one for each operation, and those for jobs, prices, files and money. */
export function listTools(ctx: Pick<Context, 'env' | 'operations'>): Tool[] {
  const operations = Object.values(getOperations(ctx));
  return [
    ...operations.map((operation) => operationTool(operation, ctx.env.GPL_ENCODERS)),
    ...FURTHER_TOOLS.map(({ isReadOnly, isDestructive = false, schema, run, ...tool }) => ({
      ...tool,
      inputSchema: inputSchema(schema(operations)),
      annotations: { readOnlyHint: isReadOnly, destructiveHint: isDestructive, openWorldHint: false },
    })),
  ];
}

function operationTool(operation: Operation, hasGplEncoders: boolean): Tool {
  const { title, summary, rates } = operation;
  const params = hasGplEncoders ? operation.params : withoutGplFormats(operation.params);
  const prices = Object.values(rates).map(({ amount, per }) => `${formatUsd(amount)} USD per ${per}`);
  const { choice, schema } = describeInputs(operation, requestSchema({ ...operation, params }));
  return {
    name: getCommand(operation).name,
    title,
    description: `${summary}${choice} Price: ${prices.join(', ')}. Returns the ended job: output.media_url has the results.`,
    inputSchema: { ...schema, properties: { ...schema.properties, no_cache: NO_CACHE } },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  };
}

/**
 * Describes the arguments of an operation's tool: its input is given by URL.
 * @param fields of the operation, by their schema
 * @returns `choice`, a sentence where there are several inputs, and `byUrl`, their names
 */
export function describeInputs({ inputs }: Operation, fields: z.ZodObject) {
  const byUrl = Object.keys(inputs).filter((name) => inputs[name]?.encoding === 'url');
  const choice = byUrl.length > 1 ? ` Give exactly one of ${byUrl.join(' and ')}.` : '';
  const unused = Object.keys(inputs).filter((name) => !byUrl.includes(name));
  const schema = inputSchema(fields, [...UNUSED_FIELDS, ...unused]);
  const [input] = byUrl;
  const isOnly = byUrl.length === 1 && input !== undefined && !schema.required?.includes(input);
  const required = isOnly ? [input, ...(schema.required ?? [])] : schema.required;
  return { choice, byUrl, schema: { ...schema, ...(required && { required }) } };
}

/** Returns the JSON schema of a tool's arguments, without some of its fields. */
function inputSchema(schema: z.ZodObject, left: readonly string[] = []): Tool['inputSchema'] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  const fields = Object.entries(properties).filter(([name]) => !left.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, Object(field)])),
    required: required.filter((name) => !left.includes(name)),
    additionalProperties: false,
  };
}

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
