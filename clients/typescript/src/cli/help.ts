import type { OperationId } from '../types.ts';
import type { ParamFlag } from './command.ts';
import { EXIT, EXIT_MEANINGS } from './exit-codes.ts';
import { FILE_COMMANDS, findOperation, flagName, JOBS_MAX, paramFlags, RUN_PLACES } from './flags.ts';
import { COMMANDS } from './operation-commands.ts';
import { OTHER_COMMANDS, type OtherCommand } from './other-commands.ts';

const COLUMNS = 100;
const INDENT = 28;

const COMMON: readonly (readonly [string, string])[] = [
  [
    '-o, --out PATH',
    'File of the result, or folder of several. By default next to each input. - is standard output.',
  ],
  ['-f, --force', 'Overwrite existing files.'],
  ['-j, --jobs N', `Files at the same time, 1 to ${JOBS_MAX}. Default: 4, and 1 with --local.`],
  ['--reference TEXT', 'Your own name of the job, which the service repeats.'],
  ['--metadata KEY=VALUE', 'Your own data about the job. Repeat it for more keys.'],
  [
    '--run-on NAME',
    `Where the job runs. own: on a machine of your account that runs "darkroom worker", at no charge. One of ${RUN_PLACES.join(', ')}.`,
  ],
  ['--no-cache', 'Run again, even where the service has the result of the same request.'],
  ['--quote', 'Print the price, and run nothing.'],
  ['--local', 'Run on this machine, without an account: only in the command of Darkroom itself.'],
  ['--json', 'Print one line of JSON for each file.'],
  ['-h, --help', 'Print this text.'],
];

/** Returns the help of the whole command. */
export function generalHelp(): string {
  const operations = FILE_COMMANDS.map(([, { name, summary }]) => [name, summary] as const);
  const others = Object.values(OTHER_COMMANDS).map(({ usage, summary }) => [usage, summary] as const);
  const codes = Object.entries(EXIT_MEANINGS).map(
    ([name, meaning]) => [String(EXIT[name as keyof typeof EXIT]), meaning] as const,
  );
  return `darkroom COMMAND [OPTIONS] FILE...

Commands:
${rows(operations)}
${rows(others)}

"darkroom COMMAND --help" lists the options of a command. A FILE is a path, a URL, or - for standard
input. "darkroom --version" prints the version.

Environment:
${rows([
  ['DARKROOM_KEY', 'API key. "darkroom login" saves one instead.'],
  ['DARKROOM_URL', 'Address of the service. Default: http://localhost:3000'],
])}

Exit codes:
${rows(codes)}
`;
}

/** Returns the help of an operation's command. */
export function operationHelp(id: OperationId): string {
  const flags = paramFlags(id).map(
    ([param, flag]) => [getUsage(flagName(param), flag), getText(flag)] as const,
  );
  return `darkroom ${COMMANDS[id].name} [OPTIONS] FILE...

${COMMANDS[id].summary}

Options of the operation:
${rows(flags)}

Options of the command:
${rows(COMMON)}
`;
}

/** Returns the help of a command that is no operation, with the options of the operation where it names one. */
export function otherHelp({ usage, summary }: OtherCommand, [name = '']: readonly string[]): string {
  const operation = usage.includes(' COMMAND ')
    ? FILE_COMMANDS.find(([id]) => id === findOperation(name))
    : null;
  const head = `darkroom ${usage}\n\n${summary}\n`;
  return operation ? `${head}\n${operationHelp(operation[0])}` : head;
}

function getUsage(name: string, { kind, initial, choices }: ParamFlag): string {
  const value = { text: choices ? 'NAME' : 'TEXT', number: 'N', list: 'A,B', json: 'JSON' };
  if (kind === 'boolean') return initial === 'true' ? `--no-${name}` : `--${name}`;
  return `--${name} ${value[kind]}`;
}

function getText({ description, choices, initial, isRequired, kind }: ParamFlag): string {
  const notes = [
    choices && `One${kind === 'list' ? ' or more' : ''} of ${choices.join(', ')}.`,
    isRequired && 'Required.',
    initial && kind !== 'boolean' && `Default: ${initial}`,
  ];
  const isSwitchedOff = kind === 'boolean' && initial === 'true';
  return [isSwitchedOff && 'Switches off:', description, ...notes].filter(Boolean).join(' ');
}

function rows(entries: readonly (readonly [string, string])[]): string {
  return entries.map(([head, text]) => row(head, text)).join('\n');
}

/** Lays out a row: the text is wrapped next to its head, or below a long one. */
function row(head: string, text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > COLUMNS - INDENT) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  const first = `  ${head}`.padEnd(INDENT);
  const isLong = first.length > INDENT - 1 && !first.endsWith(' ');
  const body = isLong ? [first, ...lines.map(indented)] : [first + lines[0], ...lines.slice(1).map(indented)];
  return body.join('\n');
}

function indented(line: string): string {
  return ' '.repeat(INDENT) + line;
}
