import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import {
  findByCommand,
  getCommand,
  type Operation,
} from '../../../models/core/operation/define-operation.ts';
import { isDirectOnly } from '../../../models/core/operation/direct-response.ts';
import { fieldError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { requestQuerySchema } from '../request-query.ts';
import { ApiRefusal, type OwnApi } from './own-api.ts';

/** Call of a tool. */
export interface ToolCall {
  readonly args: Readonly<Record<string, unknown>>;
  readonly api: OwnApi;
  readonly operations: readonly Operation[];
  /** @param progress of the job, 0 to 1 */
  readonly onProgress: (progress: number) => void;
  /** Cancels a job whose caller has left. Never rejects. */
  readonly cancel: (requestId: string) => Promise<void>;
}

/** Tool that runs no operation. */
export interface FurtherTool extends Pick<Tool, 'name' | 'title' | 'description'> {
  readonly isReadOnly: boolean;
  /** Whether it ends something that cannot be had back. */
  readonly isDestructive?: true;
  /** Builds the schema of its arguments. */
  schema(operations: readonly Operation[]): z.ZodObject;
  /** Runs it. @throws ApiRefusal, OperationError */
  run(call: ToolCall): Promise<CallToolResult>;
}

const requestId = z
  .string()
  .regex(/^[\w-]{1,200}$/, 'must be the request_id of a job')
  .meta({ description: 'The request_id of an earlier job.' });

const getSchema = z.strictObject({
  request_id: requestId,
  receipt: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether the signed receipt of the job comes, too.' }),
});
const cancelSchema = z.strictObject({ request_id: requestId });
const uploadSchema = z.strictObject({
  file_b64: z
    .base64()
    .min(1)
    .optional()
    .meta({ description: 'The bytes of a small file, in base64: at most 700 kB.' }),
  bytes: z.int().min(1).optional().meta({
    description: 'Length of a larger file. Send its bytes to the parts_url of the result, as tus 1.0.0 does.',
  }),
  name: z.string().min(1).max(255).optional().meta({ description: 'Name of the file.' }),
  expires_in_hours: z.number().min(1).max(720).optional().meta({ description: 'Life of the file.' }),
});

function quoteSchema(operations: readonly Operation[]) {
  const names = operations.map((operation) => getCommand(operation).name);
  return z.strictObject({
    operation: z.enum(names).meta({ description: 'Name of the tool that would run.' }),
    params: z.looseObject({}).meta({ description: 'Arguments of that tool, with the URL of the input.' }),
  });
}

/** Tools for earlier jobs, prices, files and money. */
export const FURTHER_TOOLS: readonly FurtherTool[] = [
  {
    name: 'get',
    title: 'Get a job',
    description: 'Waits for an earlier job, and returns it with the URLs of its results.',
    isReadOnly: true,
    schema: () => getSchema,
    run: async (call) => {
      const { request_id, receipt } = parseParams(getSchema, call.args);
      return await waitForJob(call, request_id, receipt);
    },
  },
  {
    name: 'quote',
    title: 'Quote a price',
    description: 'Returns the price of a tool’s call in US dollars, and runs nothing.',
    isReadOnly: true,
    schema: quoteSchema,
    run: quote,
  },
  {
    name: 'upload',
    title: 'Upload a file',
    description: 'Stores a file. Its upload_url works as the input of other tools until it expires.',
    isReadOnly: false,
    schema: () => uploadSchema,
    run: upload,
  },
  {
    name: 'jobs',
    title: 'List jobs',
    description: 'Lists earlier jobs, newest first, in pages. "get" returns one with its results.',
    isReadOnly: true,
    schema: () => requestQuerySchema,
    run: listJobs,
  },
  {
    name: 'cancel',
    title: 'Cancel a job',
    description: 'Ends a job that is waiting or running. It costs nothing.',
    isReadOnly: false,
    isDestructive: true,
    schema: () => cancelSchema,
    run: async ({ api, args }) => {
      const { request_id } = parseParams(cancelSchema, args);
      const job = await api.json<JobView>(`/v2/requests/${request_id}`, { method: 'DELETE' });
      return buildResult(summarize(job));
    },
  },
  {
    name: 'wallet',
    title: 'Read the balance',
    description: 'Returns the balance in US dollars, or what the key may still spend.',
    isReadOnly: true,
    schema: () => z.strictObject({}),
    run: async ({ api, args }) => {
      parseParams(z.strictObject({}), args);
      return buildResult(await api.json<object>('/v2/wallet'));
    },
  },
];

/** Runs the tool of an operation. The job is canceled when its caller leaves. @throws ApiRefusal, OperationError */
export async function runOperation(call: ToolCall, operation: Operation): Promise<CallToolResult> {
  const { api } = call;
  const { no_cache = false, ...body } = call.args;
  if (typeof no_cache !== 'boolean') throw fieldError('no_cache', 'must be true or false.');
  const headers = { prefer: 'respond-async', ...(no_cache && { 'cache-control': 'no-cache' }) };
  const { request_id } = await api.json<{ request_id: string }>(operation.path, {
    method: 'POST',
    body,
    headers,
    // Only the response names the job that a cancellation must end. A direct operation ends with its request.
    ...(isDirectOnly(operation) && { signal: api.signal }),
  });
  try {
    return await waitForJob(call, request_id);
  } catch (thrown) {
    if (!(thrown instanceof ApiRefusal)) throw thrown;
    // The job is accepted and costs money: its sender must learn its id.
    const text = `${request_id} runs, but could not be followed: ${thrown.message} Call "get" with this request_id.`;
    return { content: [{ type: 'text', text }], structuredContent: { request_id, status: 'QUEUED' } };
  } finally {
    if (api.signal.aborted) await call.cancel(request_id);
  }
}

async function waitForJob(
  { api, onProgress }: ToolCall,
  requestId: string,
  hasReceipt = false,
): Promise<CallToolResult> {
  const job = await api.waitForJob(requestId, ({ progress }) => onProgress(progress));
  const view = summarize(job, hasReceipt);
  if (!isTerminal(job.status)) {
    const text = `${requestId} has not ended yet. Call "get" with this request_id.`;
    return { content: [{ type: 'text', text }], structuredContent: view };
  }
  return job.status === 'COMPLETED' ? buildResult(view) : buildError(job.error ?? job.status, view);
}

/** Returns a job without what says nothing, and without its receipt unless that is asked for: agents pay by the word. */
function summarize(job: Partial<JobView>, hasReceipt = false): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return Object.fromEntries(
    Object.entries(job).filter(([name, value]) => !isEmpty(value) && (hasReceipt || name !== 'receipt')),
  );
}

async function quote({ api, args, operations }: ToolCall): Promise<CallToolResult> {
  const named = findByCommand(operations, String(args.operation));
  const current = { ...args, ...(named && { operation: getCommand(named).name }) };
  const { operation: name, params } = parseParams(quoteSchema(operations), current);
  const { id } = findByCommand(operations, name) ?? {};
  const { no_cache: _, ...request } = params;
  const body = { model_id: id, request };
  const { price_usd } = await api.json<{ price_usd: string }>('/v2/quotes', { method: 'POST', body });
  return buildResult({ price_usd });
}

async function upload({ api, args }: ToolCall): Promise<CallToolResult> {
  const { file_b64, bytes, ...fields } = parseParams(uploadSchema, args);
  if ((file_b64 === undefined) === (bytes === undefined)) {
    throw fieldError('file_b64', 'give the file in base64, or in its place its length as bytes.');
  }
  if (file_b64 === undefined) {
    const body = { bytes, ...fields };
    return buildResult(await api.json<object>('/v2/uploads', { method: 'POST', body }));
  }
  const path = `/uploads?${formatQuery(fields)}`;
  return buildResult(await api.json<object>(path, { method: 'POST', body: Buffer.from(file_b64, 'base64') }));
}

async function listJobs({ api, args }: ToolCall): Promise<CallToolResult> {
  const page = await api.json<{ requests: Partial<JobView>[]; next_cursor: string | null }>(
    `/v2/requests?${formatQuery(args)}`,
  );
  const requests = page.requests.map((job) => summarize(job));
  return buildResult({ requests, next_cursor: page.next_cursor });
}

function formatQuery(fields: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([key, member]) => [`${name}[${key}]`, String(member)])
      : value === undefined
        ? []
        : [[name, String(value)]],
  );
  return new URLSearchParams(pairs).toString();
}

/** Builds the result of a success: the same for programs and as text. */
function buildResult(value: object): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } };
}

/** Builds the result of a call that the agent may mend. */
export function buildError(text: string, value: object): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...value }, isError: true };
}
