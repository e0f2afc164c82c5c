import { EXIT, type ExitCode, getExitCode, UsageError } from './exit-codes.ts';
import { findOperation, parseFlags } from './flags.ts';
import { generalHelp, operationHelp } from './help.ts';
import { type CommandOptions, OTHER_COMMANDS } from './other-commands.ts';
import { describeFailure } from './report.ts';
import { runFiles } from './run-files.ts';
import { readSettings, readVersion } from './settings.ts';
import type { Target } from './target.ts';
import { createServiceTarget } from './target.ts';
import type { Terminal } from './terminal.ts';

const NO_LOCAL =
  '--local: not available here, since this package holds neither codecs nor models. Install Darkroom itself, and use its own command: npm run --silent darkroom -- COMMAND --local FILE...';

interface MainOptions extends CommandOptions {
  /** Opens this machine as the place that runs operations; absent where only the client is installed. */
  readonly openLocal?: () => Promise<Target>;
}

/** Runs the command. Never rejects. @returns its exit code */
export async function main(
  args: readonly string[],
  terminal: Terminal,
  options: MainOptions = {},
): Promise<ExitCode> {
  try {
    return await dispatch(args, terminal, options);
  } catch (thrown) {
    if (terminal.signal.aborted) return EXIT.interrupted;
    const { message, advice } = describeFailure(thrown, (text) => text);
    terminal.err(`${[message, advice].filter(Boolean).join(' ')}\n`);
    return getExitCode(thrown);
  }
}

async function dispatch(
  [name, ...args]: readonly string[],
  terminal: Terminal,
  { openLocal, ...options }: MainOptions,
): Promise<ExitCode> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(generalHelp());
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version') {
    terminal.out(`darkroom ${readVersion()}\n`);
    return EXIT.done;
  }
  if (Object.hasOwn(OTHER_COMMANDS, name))
    return (await OTHER_COMMANDS[name]?.run(terminal, args, options)) ?? EXIT.usage;
  const operation = findOperation(name);
  if (!operation) throw new UsageError(`${name}: unknown command. See "darkroom --help".`);
  const flags = parseFlags(operation, args);
  if (flags.help) {
    terminal.out(operationHelp(operation));
    return EXIT.done;
  }
  if (flags.local && !openLocal) throw new UsageError(NO_LOCAL);
  const isLocal = flags.local && openLocal;
  const target = isLocal ? await openLocal() : createServiceTarget(await readSettings(terminal.env), flags);
  try {
    return await runFiles(terminal, target, { ...flags, operation });
  } finally {
    await target.close();
  }
}
