import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { commandOf, type Operation } from '../../../models/core/operation/define-operation.ts';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { isTerminal } from '../../../models/core/operation/job.ts';
import type { JobView } from '../../../models/core/operation/job-view.ts';
import { parseParams } from '../../../models/core/operation/params.ts';
import { getSchema, quoteSchema } from './list-tools.ts';
import { ApiRefusal, type OwnApi } from './own-api.ts';

export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly api: OwnApi;
  readonly operations: readonly Operation[];
  /** @param progress of the job, 0 to 1 */
  readonly onProgress: (progress: number) => void;
}

/**
 * Runs a tool. Refusals and failed jobs are results, so that the agent reads what is wrong.
 * @returns undefined for an unknown tool
 */
export async function callTool(call: ToolCall): Promise<CallToolResult | undefined> {
  const run = findTool(call);
  if (!run) return undefined;
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof ApiRefusal) return buildError(thrown.message, thrown.problem);
    if (!(thrown instanceof OperationError)) throw thrown;
    const { code, field, message } = thrown;
    return buildError(message, { message, code, ...(field !== undefined && { field }) });
  }
}

function findTool(call: ToolCall): (() => Promise<CallToolResult>) | undefined {
  const { name, args } = call;
  if (name === 'quote') return () => quote(call);
  if (name === 'get') return () => waitForJob(call, parseParams(getSchema, args).request_id);
  const operation = findOperation(call.operations, name);
  return operation && (() => runOperation(call, operation));
}

function findOperation(operations: readonly Operation[], name: string): Operation | undefined {
  return operations.find((operation) => commandOf(operation).name === name);
}

async function runOperation(call: ToolCall, { path }: Operation): Promise<CallToolResult> {
  const accepted = await call.api.post<{ request_id: string }>(path, call.args, { prefer: 'respond-async' });
  const { request_id } = accepted;
  try {
    return await waitForJob(call, request_id);
  } catch (thrown) {
    if (!(thrown instanceof ApiRefusal)) throw thrown;
    // The job is accepted and costs money: whoever sent it must learn its id.
    const text = `${request_id} runs, but could not be followed: ${thrown.message} Call "get" with this request_id.`;
    return { content: [{ type: 'text', text }], structuredContent: { request_id, status: 'QUEUED' } };
  }
}

async function waitForJob({ api, onProgress }: ToolCall, requestId: string): Promise<CallToolResult> {
  const job = await api.waitForJob(requestId, ({ progress }) => onProgress(progress));
  if (!isTerminal(job.status)) {
    const text = `${requestId} has not ended yet. Call "get" with this request_id.`;
    return { content: [{ type: 'text', text }], structuredContent: { ...job } };
  }
  return job.status === 'COMPLETED' ? buildResult(job) : buildError(job.error ?? job.status, job);
}

async function quote({ api, args, operations }: ToolCall): Promise<CallToolResult> {
  const { operation: name, params } = parseParams(quoteSchema(operations), args);
  const { id } = findOperation(operations, name) ?? {};
  const { price_usd } = await api.post<{ price_usd: string }>('/v2/quotes', {
    model_id: id,
    request: params,
  });
  return buildResult({ price_usd });
}

/** Builds the result of a success: the same for programs and as text. */
function buildResult(value: JobView | { readonly price_usd: string }): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } };
}

function buildError(text: string, value: object): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: { ...value }, isError: true };
}
