import { parseArgs } from 'node:util';
import { type Client, createClient } from '../client.ts';
import { InvalidRequestError } from '../errors.ts';
import { readEvents } from '../jobs.ts';
import { createTransport, pause, type Transport } from '../transport.ts';
import type { JobSummary, RequestQuery } from '../types.ts';
import { EXIT, type ExitCode, getExitCode, isFatal, UsageError } from './exit-codes.ts';
import { isUrl } from './files.ts';
import { readPair } from './flags.ts';
import { createReport, describeFailure } from './report.ts';
import { readSettings } from './settings.ts';
import { createProgressLine, type Terminal } from './terminal.ts';

/** Command that reads or changes what the account has. */
interface AccountCommand {
  readonly usage: string;
  readonly summary: string;
  run(terminal: Terminal, args: readonly string[]): Promise<ExitCode>;
}

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

const JSON_FLAG = { json: { type: 'boolean', default: false } } as const;
const RECONNECT_MS = 1_000;
const OUTCOMES: readonly string[] = ['completed', 'failed', 'error'];

/** Commands about jobs, money and events, by their names. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, AccountCommand>> = {
  jobs: {
    usage:
      'jobs [--status A,B] [--operation ID] [--reference TEXT] [--metadata KEY=VALUE] [--from TIME] [--to TIME] [--limit N] [--json]',
    summary: 'List the newest jobs.',
    run: listJobs,
  },
  cancel: {
    usage: 'cancel REQUEST_ID... [--json]',
    summary: 'Cancel jobs that wait or run.',
    run: (terminal, args) =>
      eachId(terminal, args, 'cancel', async (client, id) => {
        const { status, error } = await client.cancel(id);
        return { request_id: id, status, error };
      }),
  },
  delete: {
    usage: 'delete REQUEST_ID... [--json]',
    summary: 'Delete the results of ended jobs from the service.',
    run: (terminal, args) =>
      eachId(terminal, args, 'delete', async (client, id) => {
        await client.deleteOutput(id);
        return { request_id: id, status: 'deleted' };
      }),
  },
  wallet: { usage: 'wallet [--json]', summary: 'Print the balance.', run: printWallet },
  usage: {
    usage: 'usage [--from DAY] [--to DAY] [--json]',
    summary: 'Print what was charged, by day and operation.',
    run: printUsage,
  },
  listen: {
    usage: 'listen --forward-to URL [--json]',
    summary: 'Send the webhooks of the account to a local address, until interrupted.',
    run: listen,
  },
  trigger: {
    usage: 'trigger [completed|failed|error] [--json]',
    summary: 'Send a test event to those who listen.',
    run: trigger,
  },
};

/** Parses the arguments of a command. @throws UsageError with its usage */
function parse<Own extends Options>(name: string, args: readonly string[], options: Own) {
  try {
    return parseArgs({ args: [...args], options: { ...options, ...JSON_FLAG }, allowPositionals: true });
  } catch (thrown) {
    throw usageError(name, thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function usageError(name: string, message: string): UsageError {
  return new UsageError(`${message} Usage: darkroom ${ACCOUNT_COMMANDS[name]?.usage}`);
}

/** Returns the error of an option that the service refuses; any other as it is. */
function toUsageError(name: string, thrown: unknown): unknown {
  return thrown instanceof InvalidRequestError ? usageError(name, `--${thrown.message}`) : thrown;
}

function assertNoFiles(name: string, positionals: readonly string[]): void {
  const [first] = positionals;
  if (first !== undefined) throw usageError(name, `${first}: unexpected argument.`);
}

async function listJobs(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parse('jobs', args, {
    status: text,
    operation: text,
    reference: text,
    metadata: { type: 'string', multiple: true },
    from: text,
    to: text,
    limit: text,
  } as const);
  assertNoFiles('jobs', positionals);
  const { json, metadata, limit = '25', ...filters } = values;
  const count = Number(limit);
  if (!/^\d+$/.test(limit) || count < 1 || count > 10_000) {
    throw usageError('jobs', '--limit: must be a whole number from 1 to 10000.');
  }
  const query = {
    ...filters,
    ...(metadata && { metadata: Object.fromEntries(metadata.map(readPair)) }),
    limit: Math.min(count, 100),
  } as RequestQuery;
  const client = createClient(await readSettings(terminal.env));
  let printed = 0;
  try {
    for await (const job of client.allRequests(query, terminal.signal)) {
      terminal.out(`${json ? JSON.stringify(job) : describeJob(job)}\n`);
      printed += 1;
      if (printed === count) break;
    }
  } catch (thrown) {
    throw toUsageError('jobs', thrown);
  }
  if (printed === 0 && !json) terminal.err('There are no such jobs.\n');
  return EXIT.done;
}

function describeJob({ request_id, status, created_at, billing, reference, error }: JobSummary): string {
  const notes = [reference, error].filter(Boolean).join('  ');
  return `${request_id}  ${status}  ${created_at}  ${billing.charged_usd} USD${notes && `  ${notes}`}`;
}

/** Does something to some jobs, one after the other, and prints what became of each. The first failure decides the code. */
async function eachId(
  terminal: Terminal,
  args: readonly string[],
  name: string,
  act: (client: Client, id: string) => Promise<{ readonly status: string; readonly error?: string | null }>,
): Promise<ExitCode> {
  const { values, positionals: ids } = parse(name, args, {});
  if (ids.length === 0) throw usageError(name, 'Name at least one request.');
  ids.forEach(assertRequestId);
  const client = createClient(await readSettings(terminal.env));
  const report = createReport(terminal, createProgressLine(terminal, 1), { json: values.json, inputs: ids });
  let first: ExitCode = EXIT.done;
  for (const id of ids) {
    try {
      const end = await act(client, id);
      const text = `${id}  ${end.status}${end.error ? `  ${end.error}` : ''}`;
      terminal.out(`${values.json ? JSON.stringify(end) : text}\n`);
    } catch (thrown) {
      const code = getExitCode(thrown);
      // Each further one would meet the same fault.
      if (terminal.signal.aborted || isFatal(code)) throw thrown;
      report.failed(id, describeFailure(thrown));
      first ||= code;
    }
  }
  return first;
}

/** @throws UsageError for what cannot be the id of a request */
export function assertRequestId(id: string): void {
  if (!/^[\w-]+$/.test(id)) throw new UsageError(`${id}: is no request_id.`);
}

async function printWallet(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parse('wallet', args, {});
  assertNoFiles('wallet', positionals);
  const wallet = await createClient(await readSettings(terminal.env)).wallet(terminal.signal);
  const lines = Object.entries(wallet).map(
    ([name, amount]) =>
      `${name.replace('_usd', '')}  ${amount ?? 'unlimited'}${amount === null ? '' : ' USD'}`,
  );
  terminal.out(`${values.json ? JSON.stringify(wallet) : lines.join('\n')}\n`);
  return EXIT.done;
}

async function printUsage(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parse('usage', args, { from: text, to: text } as const);
  assertNoFiles('usage', positionals);
  const { json, ...query } = values;
  const report = await createClient(await readSettings(terminal.env))
    .usage(query, terminal.signal)
    .catch((thrown) => {
      throw toUsageError('usage', thrown);
    });
  const lines = report.usage.map(
    ({ day, model_id, requests, charged_usd }) => `${day}  ${model_id}  ${requests}  ${charged_usd} USD`,
  );
  const total = `Together  ${report.charged_usd} USD`;
  terminal.out(`${json ? JSON.stringify(report) : [...lines, total].join('\n')}\n`);
  return EXIT.done;
}

/** Signed webhook, as the stream of the account has it. */
interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function listen(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parse('listen', args, { 'forward-to': { type: 'string' } } as const);
  assertNoFiles('listen', positionals);
  const { json, 'forward-to': target } = values;
  if (target === undefined || !isUrl(target) || !URL.canParse(target)) {
    throw usageError('listen', '--forward-to: must be an address such as http://localhost:4000/hooks.');
  }
  const settings = await readSettings(terminal.env);
  const transport = createTransport(settings);
  const { signal } = terminal;
  while (!signal.aborted) {
    const headers = { accept: 'text/event-stream' };
    const response = await transport.open('/v2/webhooks/events', { headers, signal });
    terminal.err(`Listening at ${settings.origin}.\n`);
    for await (const { data } of readEvents(response, signal)) {
      await forward(terminal, target, JSON.parse(data) as Delivery, json);
    }
    await pause(RECONNECT_MS, signal);
  }
  return EXIT.interrupted;
}

/** Posts a webhook to a local address, and prints what that responds. */
async function forward(
  { out, signal }: Terminal,
  target: string,
  { headers, body }: Delivery,
  json: boolean,
): Promise<void> {
  const event = JSON.parse(body) as { readonly request_id?: string; readonly type?: string };
  const name = event.request_id ?? event.type ?? headers['webhook-id'] ?? '';
  let status: number | null = null;
  let error: string | null = null;
  try {
    const all = { 'content-type': 'application/json', ...headers };
    const response = await fetch(target, { method: 'POST', headers: all, body, redirect: 'manual', signal });
    status = response.status;
    await response.body?.cancel();
  } catch (thrown) {
    signal.throwIfAborted();
    error = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause.message : String(thrown);
  }
  const id = headers['webhook-id'];
  out(
    `${json ? JSON.stringify({ webhook_id: id, event: name, status, error }) : `${name}  ${status ?? error}`}\n`,
  );
}

async function trigger(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const { values, positionals } = parse('trigger', args, {});
  const [outcome = 'completed', ...more] = positionals;
  assertNoFiles('trigger', more);
  if (!OUTCOMES.includes(outcome)) {
    throw usageError('trigger', `${outcome}: unknown event. Choose ${OUTCOMES.join(', ')}.`);
  }
  const transport: Transport = createTransport(await readSettings(terminal.env));
  const call = { method: 'POST', body: { outcome }, signal: terminal.signal } as const;
  const sent = await transport.json<{ request_id: string }>('/v2/webhooks/events', call);
  terminal.out(`${values.json ? JSON.stringify({ ...sent, outcome }) : `${sent.request_id}  ${outcome}`}\n`);
  return EXIT.done;
}
