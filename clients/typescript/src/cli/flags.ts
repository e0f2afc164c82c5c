import { parseArgs } from 'node:util';
import type { OperationId, ParamsOf } from '../types.ts';
import type { ParamFlag } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { STANDARD } from './files.ts';
import { COMMANDS } from './operation-commands.ts';

/** Options of every operation's command. */
interface CommonOptions {
  readonly out: string | undefined;
  readonly force: boolean;
  readonly json: boolean;
  readonly quote: boolean;
  readonly local: boolean;
  /** Whether an earlier result of the same request may be delivered again. */
  readonly cache: boolean;
  readonly help: boolean;
  /** Files at the same time; undefined for the default. */
  readonly jobs: number | undefined;
}

export interface ParsedFlags extends CommonOptions {
  readonly inputs: readonly string[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** Params of which the command makes no use: it polls by itself. */
const HIDDEN: readonly string[] = ['sync_mode'];
/** Params that name the format of the result: `--to` is short for each. */
const FORMAT_PARAMS: readonly string[] = ['to_format', 'output_format'];
export const JOBS_MAX = 16;

const COMMON = {
  out: { type: 'string', short: 'o' },
  force: { type: 'boolean', short: 'f', default: false },
  json: { type: 'boolean', default: false },
  quote: { type: 'boolean', default: false },
  local: { type: 'boolean', default: false },
  jobs: { type: 'string', short: 'j' },
  reference: { type: 'string' },
  metadata: { type: 'string', multiple: true },
  'run-on': { type: 'string' },
  // Parsed from --no-cache.
  cache: { type: 'boolean', default: true },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Places where a job runs. */
export const RUN_PLACES = ['service', 'own'] as const satisfies readonly ParamsOf<OperationId>['run_on'][];
/** Fields of every request for a job, which the command has as options. */
const JOB_FIELDS: readonly string[] = ['reference', 'metadata', 'run_on'];

/** Options of every operation's command, without dashes in front. */
export const COMMON_FLAGS = Object.entries(COMMON).map(([name, { type }]) => ({
  name: name === 'cache' ? 'no-cache' : name,
  hasValue: type === 'string',
  choices: name === 'run-on' ? RUN_PLACES : [],
}));

/** Lists the params of an operation with their flags. */
export function paramFlags(id: OperationId): readonly (readonly [param: string, flag: ParamFlag])[] {
  return Object.entries(COMMANDS[id].params).filter(([name]) => !HIDDEN.includes(name));
}

/** Returns the flag of a param, without dashes in front. */
export function flagName(param: string): string {
  return FORMAT_PARAMS.includes(param) ? 'to' : param.replaceAll('_', '-');
}

/** Returns the format that params ask for, or the operation's default. */
export function getFormat(id: OperationId, params: Readonly<Record<string, unknown>>): string | undefined {
  const name = FORMAT_PARAMS.find((param) => param in COMMANDS[id].params);
  const format = name && (params[name] ?? COMMANDS[id].params[name]?.initial);
  return typeof format === 'string' ? format : undefined;
}

/** Replaces the param at the head of a message by its flag. */
export function replaceParamByFlag(id: OperationId, message: string): string {
  return message.replace(/^\w+(?=: )/, (field) =>
    JOB_FIELDS.includes(field) || Object.hasOwn(COMMANDS[id].params, field) ? `--${flagName(field)}` : field,
  );
}

/**
 * Parses the arguments that follow the name of an operation's command.
 * @throws UsageError naming the flag
 */
export function parseFlags(id: OperationId, args: readonly string[]): ParsedFlags {
  const flags = paramFlags(id);
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {};
  for (const [name, { kind }] of flags) {
    const option = { type: kind === 'boolean' ? kind : 'string', multiple: kind === 'list' } as const;
    options[flagName(name)] = option;
    options[name.replaceAll('_', '-')] = option;
  }
  const { values, positionals } = parse(id, args, options);
  const { out, force, json, quote, local, cache, help, jobs } = values;
  if (local && !cache) throw notLocal('no-cache');
  const params = help ? {} : { ...readParams(flags, { ...values }), ...readJobFields(values) };
  if (!help && positionals.length === 0) throw new UsageError('Name at least one file or URL.');
  assertStandardStreams(id, positionals, out);
  return { inputs: positionals, params, out, force, json, quote, local, cache, help, jobs: readJobs(jobs) };
}

interface JobValues {
  readonly local: boolean;
  readonly reference?: string | undefined;
  readonly metadata?: readonly string[] | undefined;
  readonly 'run-on'?: string | undefined;
}

/** Returns the fields that requests of all operations have. @throws UsageError for a run without a request */
export function readJobFields({
  local,
  reference,
  metadata,
  'run-on': place,
}: JobValues): Record<string, unknown> {
  const fields = {
    ...(reference !== undefined && { reference }),
    ...(metadata !== undefined && { metadata: Object.fromEntries(metadata.map(readPair)) }),
    ...(place !== undefined && { run_on: readPlace(place) }),
  };
  const [first] = Object.keys(fields);
  if (!local || first === undefined) return fields;
  throw notLocal(flagName(first));
}

function notLocal(flag: string): UsageError {
  return new UsageError(`--${flag}: is about a job at the service, and --local makes none.`);
}

/** Reads KEY=VALUE. @throws UsageError */
export function readPair(text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UsageError(`--metadata: "${text}" must be KEY=VALUE.`);
}

function readPlace(text: string): string {
  if (RUN_PLACES.some((place) => place === text)) return text;
  throw new UsageError(`--run-on: unknown value "${text}".${getChoices({ choices: RUN_PLACES })}`);
}

/** Checks what comes from standard input or goes to standard output. @throws UsageError */
function assertStandardStreams(id: OperationId, inputs: readonly string[], out: string | undefined): void {
  const isPiped = inputs.includes(STANDARD) && out === undefined;
  if (inputs.length > 1 && (inputs.includes(STANDARD) || out === STANDARD)) {
    throw new UsageError(`${STANDARD}: only one file can come from standard input or go to standard output.`);
  }
  if (COMMANDS[id].first && (isPiped || out === STANDARD)) {
    throw new UsageError(`--out: name a folder, since "${COMMANDS[id].name}" writes several files.`);
  }
}

function readParams(
  flags: readonly (readonly [string, ParamFlag])[],
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const [name, flag] of flags) {
    const given = values[name.replaceAll('_', '-')] ?? values[flagName(name)];
    if (given !== undefined) params[name] = readValue(flagName(name), flag, given);
    else if (flag.isRequired) throw new UsageError(`--${flagName(name)}: required.${getChoices(flag)}`);
  }
  return params;
}

function parse(id: OperationId, args: readonly string[], options: Readonly<Record<never, never>>) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...options, ...COMMON },
      allowPositionals: true,
      allowNegative: true,
    });
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    const [, unknown] = /^Unknown option '([^']+)'/.exec(message) ?? [];
    const seeHelp = `See "darkroom ${COMMANDS[id].name} --help".`;
    throw new UsageError(unknown ? `${unknown}: unknown option. ${seeHelp}` : `${message}. ${seeHelp}`);
  }
}

function readValue(name: string, flag: ParamFlag, given: unknown): unknown {
  const { kind, choices } = flag;
  if (kind === 'boolean') return given;
  const texts = kind === 'list' ? (given as string[]).flatMap((text) => text.split(',')) : [String(given)];
  const values = texts.map((text) => text.trim());
  if (choices && !values.every((text) => choices.includes(text))) {
    throw new UsageError(`--${name}: unknown value "${values.join(',')}".${getChoices(flag)}`);
  }
  if (kind === 'list') return values;
  if (kind === 'text') return readText(name, flag, String(given));
  if (kind === 'json') return readJson(name, String(given));
  const number = values[0] === '' ? Number.NaN : Number(values[0]);
  if (!Number.isFinite(number)) throw new UsageError(`--${name}: "${values[0]}" is not a number.`);
  assertInRange(name, flag, number);
  return number;
}

/** @throws UsageError for a text of another form */
function readText(name: string, { pattern, description }: ParamFlag, text: string): string {
  if (pattern === undefined || new RegExp(pattern, 'u').test(text)) return text;
  throw new UsageError(`--${name}: cannot be "${text}". ${description}`);
}

/** @throws UsageError naming what is allowed */
function assertInRange(name: string, { min, max, isWhole }: ParamFlag, number: number): void {
  const isIn =
    number >= (min ?? number) && number <= (max ?? number) && (!isWhole || Number.isInteger(number));
  if (isIn) return;
  const range = max === undefined ? `at least ${min ?? 0}` : `from ${min ?? 0} to ${max}`;
  throw new UsageError(`--${name}: must be a ${isWhole ? 'whole ' : ''}number ${range}.`);
}

function readJson(name: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new UsageError(`--${name}: must be an object as JSON.`);
}

function getChoices({ choices }: Pick<ParamFlag, 'choices'>): string {
  return choices ? ` Choose ${choices.join(', ')}.` : '';
}

export function readJobs(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const jobs = Number(text);
  if (Number.isInteger(jobs) && jobs >= 1 && jobs <= JOBS_MAX) return jobs;
  throw new UsageError(`--jobs: must be a whole number from 1 to ${JOBS_MAX}.`);
}

/** Operations whose params are flags. `darkroom run` reads those of a pipeline from a file. */
export const FILE_COMMANDS = (Object.keys(COMMANDS) as OperationId[])
  .filter((id) => id !== 'pipeline')
  .map((id) => [id, COMMANDS[id]] as const);

/** Finds an operation by the name of its command, or by an earlier one. */
export function findOperation(name: string): OperationId | undefined {
  return (Object.keys(COMMANDS) as OperationId[]).find(
    (id) => COMMANDS[id].name === name || COMMANDS[id].earlierNames?.includes(name),
  );
}

/** Finds the operation of a command with flags. @throws UsageError for that of recipes */
export function findFileOperation(name: string): OperationId | undefined {
  const id = findOperation(name);
  if (id !== 'pipeline') return id;
  throw new UsageError(`${name}: a recipe is a file. Use "darkroom run RECIPE FILE... --out DIR".`);
}
