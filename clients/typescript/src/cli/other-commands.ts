import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createClient } from '../client.ts';
import { findReceiptFile, ReceiptError, type ReceiptKeys, verifyReceipt } from '../signatures.ts';
import { ACCOUNT_COMMANDS, assertRequestId } from './account-commands.ts';
import { runBatchCommand } from './batch-command.ts';
import { completionScript } from './completion.ts';
import { EXIT, type ExitCode, KeyError, UsageError } from './exit-codes.ts';
import { createExistsError, exists, isUrl, listOutputPaths } from './files.ts';
import type { Machine } from './machine.ts';
import { createReport } from './report.ts';
import { saveAll } from './run-files.ts';
import { runRecipeCommand } from './run-recipe.ts';
import type { LocalTools } from './serve-mcp.ts';
import { deleteSettings, loginOrigin, readSettings, saveSettings } from './settings.ts';
import { createOutcome, type LocalAbility } from './target.ts';
import { createProgressLine, type Terminal } from './terminal.ts';
import { runWorker } from './worker-command.ts';

/** Command that runs no operation on files. */
export interface OtherCommand {
  /** Name and arguments. */
  readonly usage: string;
  readonly summary: string;
  run(terminal: Terminal, args: readonly string[], options: CommandOptions): Promise<ExitCode>;
}

/** Abilities of the product's own command. */
export interface CommandOptions extends LocalAbility {
  /** Opens this machine as the place that runs an account's own jobs; absent where only the client is installed. */
  readonly openMachine?: (runsMax: number) => Promise<Machine>;
  /** Opens this machine as the place that runs an agent's tools; absent where only the client is installed. */
  readonly openLocalTools?: () => Promise<LocalTools>;
  /** Overrides the first pause of a worker after a lost connection. */
  readonly firstPauseMs?: number;
}

/** Says why a command needs more than this package. */
const needsProduct = (command: string) =>
  `${command}: not available here, since this package holds neither codecs nor models. Install Darkroom itself, and use its own command: npm run --silent darkroom -- ${command}`;

/** Further commands, by their names. */
export const OTHER_COMMANDS: Readonly<Record<string, OtherCommand>> = {
  login: { usage: 'login', summary: 'Check and save an API key.', run: login },
  logout: { usage: 'logout', summary: 'Delete the saved API key.', run: logout },
  ...ACCOUNT_COMMANDS,
  batch: {
    usage: 'batch COMMAND [OPTIONS] FILE...',
    summary: 'Run an operation on up to 100 files as one job.',
    run: runBatchCommand,
  },
  run: {
    usage: 'run RECIPE FILE... --out DIR [--local]',
    summary: 'Run a recipe, which is a JSON file, on files or a folder. Resumes where it stopped.',
    run: runRecipeCommand,
  },
  get: { usage: 'get REQUEST_ID', summary: 'Save the results of an earlier request.', run: get },
  verify: {
    usage: 'verify RECEIPT FILE --keys JWKS',
    summary: 'Check a receipt and the file that it names, without an account.',
    run: verify,
  },
  mcp: {
    usage: 'mcp [--max-usd N] [--allow DIR] [--local]',
    summary: 'Serve the operations to an agent as tools, over standard input and output.',
    run: runMcp,
  },
  worker: {
    usage: 'worker [--operations A,B] [--concurrency N]',
    summary:
      'Run the jobs that this account leaves to its own machines: only in the command of Darkroom itself.',
    run: serveAccount,
  },
  completion: {
    usage: 'completion SHELL',
    summary: 'Print a script that completes commands in bash, zsh or fish.',
    run: printCompletion,
  },
};

async function serveAccount(
  terminal: Terminal,
  args: readonly string[],
  { openMachine, firstPauseMs }: CommandOptions,
): Promise<ExitCode> {
  if (!openMachine) throw new UsageError(needsProduct('worker'));
  return await runWorker(terminal, args, { openMachine, firstPauseMs });
}

async function runMcp(
  terminal: Terminal,
  args: readonly string[],
  { openLocalTools }: CommandOptions,
): Promise<ExitCode> {
  const { usdMax, local, allowed } = readMcpFlags(args);
  if (local) {
    if (!openLocalTools) throw new UsageError(needsProduct('mcp --local'));
    const { serveLocalMcp } = await import('./serve-mcp.ts');
    return await serveLocalMcp(terminal, await openLocalTools(), allowed);
  }
  const settings = await readSettings(terminal.env);
  // It is large, and no other command needs it.
  const { serveMcp } = await import('./serve-mcp.ts');
  return await serveMcp(terminal, { settings, usdMax, allowed });
}

function readMcpFlags(args: readonly string[]) {
  const usage = 'Usage: darkroom mcp [--max-usd N] [--allow DIR] [--local]';
  const options = {
    'max-usd': { type: 'string' },
    allow: { type: 'string', multiple: true, default: [] as string[] },
    local: { type: 'boolean', default: false },
  } as const;
  try {
    const { 'max-usd': usdMax, allow: allowed, local } = parseArgs({ args: [...args], options }).values;
    if (usdMax !== undefined && local) throw new Error('--max-usd: a run on this machine costs nothing');
    if (usdMax === undefined || /^\d{1,12}(\.\d{1,6})?$/.test(usdMax)) return { usdMax, local, allowed };
  } catch (thrown) {
    throw new UsageError(`${thrown instanceof Error ? thrown.message : thrown}. ${usage}`);
  }
  throw new UsageError(`--max-usd: must be an amount in US dollars, such as 2.50. ${usage}`);
}

async function printCompletion({ out }: Terminal, [shell = '']: readonly string[]): Promise<ExitCode> {
  out(completionScript(shell, Object.values(OTHER_COMMANDS)));
  return EXIT.done;
}

/** Asks for a key, tries it, and saves it. @throws AuthenticationError, KeyError */
async function login({ env, askSecret, signal, out }: Terminal): Promise<ExitCode> {
  const origin = loginOrigin(env);
  const apiKey = (await askSecret(`API key for ${origin}: `)).trim();
  if (apiKey === '') throw new KeyError('No key was given.');
  const { available_usd } = await createClient({ origin, apiKey }).wallet(signal);
  const path = await saveSettings(env, { origin, apiKey });
  const available = available_usd === null ? 'The key has no cap' : `${available_usd} USD are available`;
  out(`Saved in ${path}. ${available}.\n`);
  return EXIT.done;
}

/** Deletes the saved key. */
async function logout({ env, out }: Terminal): Promise<ExitCode> {
  out((await deleteSettings(env)) ? 'The saved key is deleted.\n' : 'There was no saved key.\n');
  return EXIT.done;
}

/**
 * Waits for an earlier request, and saves its results.
 * @throws JobFailedError, NotFoundError, UsageError, Error for results that are gone
 */
async function get(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const { id, out, force, json } = readGet(args);
  const client = createClient(await readSettings(terminal.env));
  const progress = createProgressLine(terminal, 1);
  const { signal, cwd } = terminal;
  const job = await client.wait(id, {
    signal,
    onProgress: (state) => progress.update(id, state.progress),
  });
  const outcome = createOutcome(client, job, { signal });
  const { items = [], media_type } = job.output;
  // A verdict is JSON, and a batch without a success has no type.
  const hadFiles = !['', 'application/json'].includes(media_type);
  if (outcome.files.length === 0 && (hadFiles || outcome.result === null)) {
    throw new Error(outcome.warnings.at(-1) ?? `${id}: its result is gone.`);
  }
  const files = outcome.files.map(({ name }) => ({ name }));
  const paths = listOutputPaths({ folder: resolve(cwd, out ?? '.'), stem: id }, files);
  for (const path of force ? [] : paths) if (await exists(path)) throw createExistsError(path);
  await saveAll(outcome, paths, { force, signal });
  const report = createReport(terminal, progress, { json, inputs: [id] });
  report.completed(id, outcome, paths);
  const failed = items.flatMap((item, at) => (item.status === 'failed' ? [{ ...item, at }] : []));
  for (const { at, error: message, code } of failed) {
    report.failed(`${id} items[${at}]`, { code, message, advice: null, requestId: id });
  }
  return failed.length > 0 ? EXIT.failed : EXIT.done;
}

function readGet(args: readonly string[]) {
  const options = {
    out: { type: 'string', short: 'o' },
    force: { type: 'boolean', short: 'f', default: false },
    json: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [id, ...more] = positionals;
    if (id === undefined || more.length > 0) throw new Error('Name one request.');
    assertRequestId(id);
    return { id, ...values };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new UsageError(`${message} Usage: darkroom get [--out FOLDER] [--force] [--json] REQUEST_ID`);
  }
}

/**
 * Checks that a receipt is signed by one of some keys, and names a file. Needs neither an account nor, with a file of
 * keys, the network.
 * @throws ReceiptError, UsageError, and the system's error for what cannot be read
 */
async function verify({ cwd, out, signal }: Terminal, args: readonly string[]): Promise<ExitCode> {
  const { receipt: source, file: path, keys: keySource, json } = readVerify(args);
  const receipt = await verifyReceipt(await readReceipt(cwd, source), await readKeys(cwd, keySource, signal));
  const sha256 = await hashFile(resolve(cwd, path));
  const { role, file } = findReceiptFile(receipt, sha256);
  if (json) out(`${JSON.stringify({ file: path, role, name: file.name, receipt })}\n`);
  else {
    const place = receipt.run_on === 'own' ? ', run on a machine of its account' : '';
    const name = file.name === role ? role : `${role} ${file.name}`;
    out(`${path} is the ${name} of ${receipt.request_id}, ${receipt.completed_at}${place}.\n`);
  }
  return EXIT.done;
}

/** Returns a receipt that is given as such, as a file, or as a file with its job. */
async function readReceipt(cwd: string, source: string): Promise<string> {
  const text = await readFile(resolve(cwd, source), 'utf8').catch((thrown) => {
    // A receipt looks like no path that anybody has.
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(source)) return source;
    throw thrown;
  });
  if (!text.trimStart().startsWith('{')) return text;
  const { receipt } = parseJson(source, text) as { receipt?: unknown };
  if (typeof receipt !== 'string') throw new ReceiptError(`${source}: the job has no receipt.`);
  return receipt;
}

async function readKeys(cwd: string, source: string, signal: AbortSignal): Promise<ReceiptKeys> {
  const text = isUrl(source) ? await fetchText(source, signal) : await readFile(resolve(cwd, source), 'utf8');
  const { keys } = parseJson(source, text) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new ReceiptError(`${source}: is no JSON Web Key Set.`);
  return { keys: keys.filter((key) => typeof key === 'object' && key !== null) };
}

async function fetchText(url: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new ReceiptError(`${url}: responded with status ${response.status}.`);
  return await response.text();
}

function parseJson(source: string, text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw new ReceiptError(`${source}: is no JSON.`);
  }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

function readVerify(args: readonly string[]) {
  const options = { keys: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [receipt, file, ...more] = positionals;
    if (receipt === undefined || file === undefined || more.length > 0) {
      throw new Error('Name one receipt and one file.');
    }
    if (values.keys === undefined) throw new Error('--keys: required.');
    return { receipt, file, keys: values.keys, json: values.json };
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new UsageError(`${message} Usage: darkroom verify RECEIPT FILE --keys JWKS [--json]`);
  }
}
