import { parseArgs } from 'node:util';
import { get, login, logout } from './account-commands.ts';
import { completionScript } from './completion.ts';
import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import { readSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

/** Command that runs no operation on files. */
export interface OtherCommand {
  /** Name and arguments. */
  readonly usage: string;
  readonly summary: string;
  run(terminal: Terminal, args: readonly string[]): Promise<ExitCode>;
}

/** Further commands, by their names. */
export const OTHER_COMMANDS: Readonly<Record<string, OtherCommand>> = {
  login: { usage: 'login', summary: 'Check and save an API key.', run: login },
  logout: { usage: 'logout', summary: 'Delete the saved API key.', run: logout },
  get: { usage: 'get REQUEST_ID', summary: 'Save the results of an earlier request.', run: get },
  mcp: {
    usage: 'mcp [--max-usd N]',
    summary: 'Serve the operations to an agent as tools, over standard input and output.',
    run: runMcp,
  },
  completion: {
    usage: 'completion SHELL',
    summary: 'Print a script that completes commands in bash, zsh or fish.',
    run: printCompletion,
  },
};

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
