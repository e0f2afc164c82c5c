import { parseArgs } from 'node:util';
import { get, login, logout } from './account-commands.ts';
import { completionScript } from './completion.ts';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import type { LocalTools } from './mcp/serve-local.ts';
import { readSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';
import { verify } from './verify.ts';
import type { Machine } from './worker/machine.ts';
import { runWorker } from './worker/worker-command.ts';

/** Command that runs no operation on files. */
export interface OtherCommand {
  /** Name and arguments. */
  readonly usage: string;
  readonly summary: string;
  run(terminal: Terminal, args: readonly string[], options: CommandOptions): Promise<ExitCode>;
}

/** Abilities of the product's own command. */
export interface CommandOptions {
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
  get: { usage: 'get REQUEST_ID', summary: 'Save the results of an earlier request.', run: get },
  verify: {
    usage: 'verify RECEIPT FILE --keys JWKS',
    summary: 'Check a receipt and the file that it names, without an account.',
    run: verify,
  },
  mcp: {
    usage: 'mcp [--max-usd N] [--local]',
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
  const { usdMax, local } = readMcpFlags(args);
  if (local) {
    if (!openLocalTools) throw new UsageError(needsProduct('mcp --local'));
    const { serveLocalMcp } = await import('./mcp/serve-local.ts');
    return await serveLocalMcp(terminal, await openLocalTools());
  }
  const settings = await readSettings(terminal.env);
  // It is large, and no other command needs it.
  const { serveMcp } = await import('./mcp/serve-mcp.ts');
  return await serveMcp(terminal, { settings, usdMax });
}

function readMcpFlags(args: readonly string[]): { usdMax: string | undefined; local: boolean } {
  const usage = 'Usage: darkroom mcp [--max-usd N] [--local]';
  const options = { 'max-usd': { type: 'string' }, local: { type: 'boolean', default: false } } as const;
  try {
    const { 'max-usd': usdMax, local } = parseArgs({ args: [...args], options }).values;
    if (usdMax !== undefined && local) throw new Error('--max-usd: a run on this machine costs nothing');
    if (usdMax === undefined || /^\d{1,12}(\.\d{1,6})?$/.test(usdMax)) return { usdMax, local };
  } catch (thrown) {
    throw new UsageError(`${thrown instanceof Error ? thrown.message : thrown}. ${usage}`);
  }
  throw new UsageError(`--max-usd: must be an amount in US dollars, such as 2.50. ${usage}`);
}

async function printCompletion({ out }: Terminal, [shell = '']: readonly string[]): Promise<ExitCode> {
  out(completionScript(shell, Object.values(OTHER_COMMANDS)));
  return EXIT.done;
}
