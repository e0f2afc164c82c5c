import { EXIT, type ExitCode, UsageError } from './exit-codes.ts';
import { findFileOperation, parseFlags } from './flags.ts';
import { generalHelp, operationHelp, otherHelp } from './help.ts';
import { type CommandOptions, OTHER_COMMANDS } from './other-commands.ts';
import { reportFailure } from './report.ts';
import { runFiles } from './run-files.ts';
import { readVersion } from './settings.ts';
import { openTarget } from './target.ts';
import type { Terminal } from './terminal.ts';

/** Runs the command. Never rejects. @returns its exit code */
export async function main(
  args: readonly string[],
  terminal: Terminal,
  options: CommandOptions = {},
): Promise<ExitCode> {
  return await reportFailure(terminal, () => dispatch(args, terminal, options));
}

async function dispatch(
  [name, ...args]: readonly string[],
  terminal: Terminal,
  options: CommandOptions,
): Promise<ExitCode> {
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.out(generalHelp());
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (name === '--version') {
    terminal.out(`darkroom ${readVersion()}\n`);
    return EXIT.done;
  }
  const other = Object.hasOwn(OTHER_COMMANDS, name) ? OTHER_COMMANDS[name] : undefined;
  if (other && args.some((arg) => arg === '--help' || arg === '-h')) {
    terminal.out(otherHelp(other, args));
    return EXIT.done;
  }
  if (other) return await other.run(terminal, args, options);
  const operation = findFileOperation(name);
  if (!operation) throw new UsageError(`${name}: unknown command. See "darkroom --help".`);
  const flags = parseFlags(operation, args);
  if (flags.help) {
    terminal.out(operationHelp(operation));
    return EXIT.done;
  }
  const target = await openTarget(terminal, flags, options);
  try {
    return await runFiles(terminal, target, { ...flags, operation });
  } finally {
    await target.close();
  }
}
