import { parseArgs } from 'node:util';
import { get, login, logout } from './account-commands.ts';
import { completionScript } from './completion.ts';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
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
  /** Overrides the first pause of a worker after a lost connection. */
  readonly firstPauseMs?: number;
}

const NO_MACHINE =
  'worker: not available here, since this package holds neither codecs nor models. Install Darkroom itself, and use its own command: npm run --silent darkroom -- worker';

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
    usage: 'mcp [--max-usd N]',
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
  if (!openMachine) throw new UsageError(NO_MACHINE);
  return await runWorker(terminal, args, { openMachine, firstPauseMs });
}

async function runMcp(terminal: Terminal, args: readonly string[]): Promise<ExitCode> {
  const usdMax = readLimit(args);
  const settings = await readSettings(terminal.env);
  // It is large, and no other command needs it.
  const { serveMcp } = await import('./mcp/serve-mcp.ts');
  return await serveMcp(terminal, { settings, usdMax });
}

function readLimit(args: readonly string[]): string | undefined {
  const usage = 'Usage: darkroom mcp [--max-usd N]';
  try {
    const { values } = parseArgs({ args: [...args], options: { 'max-usd': { type: 'string' } } });
    const limit = values['max-usd'];
    if (limit === undefined || /^\d{1,12}(\.\d{1,6})?$/.test(limit)) return limit;
  } catch (thrown) {
    throw new UsageError(`${thrown instanceof Error ? thrown.message : thrown}. ${usage}`);
  }
  throw new UsageError(`--max-usd: must be an amount in US dollars, such as 2.50. ${usage}`);
}

async function printCompletion({ out }: Terminal, [shell = '']: readonly string[]): Promise<ExitCode> {
  out(completionScript(shell, Object.values(OTHER_COMMANDS)));
  return EXIT.done;
}
