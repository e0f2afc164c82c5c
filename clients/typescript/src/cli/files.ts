import { randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, parse, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mediaOfName } from '../node.ts';
import type { Command } from './command.ts';
import { UsageError } from './exit-codes.ts';
import { makeOwnFolder } from './own-folders.ts';
import type { Terminal } from './terminal.ts';

/** File that a run has made. */
export interface OutcomeFile {
  readonly name: string;
  /** Name that the params ask for, by `output_name`. */
  readonly title?: string | undefined;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

/** Place of the results of an input. */
interface OutputLocation {
  readonly folder: string;
  /** Name without extension. */
  readonly stem: string;
  /** Path of the only result, where `--out` names it. */
  readonly file?: string;
}

export function isUrl(input: string): boolean {
  return /^https?:\/\//i.test(input);
}

/** Returns the file name of a path or URL. */
export function inputName(input: string): string {
  if (input === STANDARD) return 'stdin';
  if (!isUrl(input)) return basename(input);
  const name = basename(decodeURIComponent(new URL(input).pathname));
  return name === '' ? 'result' : name;
}

interface PlaceOptions {
  readonly cwd: string;
  readonly out: string | undefined;
  readonly inputCount: number;
}

/**
 * Chooses where the results of an input go: next to it, or to `--out`. That is a folder when it exists as one, ends
 * with a slash or is for several inputs. Results of a URL go to the current folder.
 */
export async function chooseOutputLocation(
  command: Command,
  input: string,
  { cwd, out, inputCount }: PlaceOptions,
): Promise<OutputLocation> {
  const stem = parse(inputName(input)).name + command.suffix;
  if (out === undefined) return { folder: isUrl(input) ? cwd : resolve(cwd, dirname(input)), stem };
  const path = isAbsolute(out) ? out : resolve(cwd, out);
  const isFolder = inputCount > 1 || /[\\/]$/.test(out) || (await isDirectory(path));
  if (isFolder) return { folder: path, stem };
  return { folder: dirname(path), stem: parse(path).name, file: path };
}

/**
 * Returns the path of each result by the name that the run gave it, or that its params ask for. Where names repeat, as
 * in batches, each result has its number.
 */
export function listOutputPaths(
  { folder, stem, file }: OutputLocation,
  results: readonly Pick<OutcomeFile, 'name' | 'title'>[],
): string[] {
  if (file !== undefined && results.length === 1) return [file];
  const hasRepeats = new Set(results.map(({ name }) => name)).size < results.length;
  const suffixOf = (name: string, at: number) => {
    if (results.length === 1) return extname(name);
    return hasRepeats ? `-${at + 1}-${name}` : `-${name}`;
  };
  return results.map(({ name, title }, at) => join(folder, title ?? stem + suffixOf(name, at)));
}

/** What decides where the results of several inputs go. */
interface PlanOptions {
  readonly inputs: readonly string[];
  /** Whether results belong into a folder, though there is but one. */
  readonly isMany?: boolean | undefined;
  readonly out: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** Format that the params ask for. */
  readonly format: string | undefined;
}

/** Place of an input's results, and what is known of them before the run. */
export interface PlannedOutput {
  readonly place: OutputLocation;
  /** Path of the first result; null where its name follows its size, or whatever `output_name` says. */
  readonly expected: string | null;
}

/**
 * Plans where the results of each input go, before anyone pays for a file that cannot be saved.
 * @throws UsageError when two inputs would have one result file
 */
export async function planOutputs(
  command: Command,
  cwd: string,
  { inputs, isMany, out, params, format }: PlanOptions,
): Promise<readonly PlannedOutput[]> {
  const inputCount = isMany ? 2 : inputs.length;
  const owners = new Map<string, string>();
  const { output_name: pattern } = params;
  return await Promise.all(
    inputs.map(async (input) => {
      const place = await chooseOutputLocation(command, input, { cwd, out, inputCount });
      const expected = pattern === undefined ? firstOutputPath(command, place, input, format) : null;
      const path = expected ?? place.file ?? join(place.folder, nameByPattern(String(pattern), input));
      const owner = owners.get(path);
      if (owner !== undefined && !SIZED_NAME.test(String(pattern))) {
        throw new UsageError(
          `${owner} and ${input}: both would be saved as ${path}. Run them apart, each with its own --out.`,
        );
      }
      owners.set(path, input);
      return { place, expected };
    }),
  );
}

/** Parts of an `output_name` that are known after the run. */
const SIZED_NAME = /\{(?!name\})\w+\}/;

function nameByPattern(pattern: string, input: string): string {
  return pattern.replaceAll('{name}', parse(inputName(input)).name);
}

/** Returns the path of the first result before the run, so that no one pays for a file that cannot be saved. */
export function firstOutputPath(
  command: Command,
  place: OutputLocation,
  input: string,
  format: string | undefined,
): string {
  const extension = getExtension(command, inputName(input), format);
  const names = command.first ? [`${command.first}.${extension}`, ''] : [`output.${extension}`];
  const results = names.map((name) => ({ name }));
  return listOutputPaths(place, results)[0] ?? '';
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

/**
 * Returns the extension of the results of a run.
 * @param format that the params ask for
 */
function getExtension({ extension }: Command, input: string, format: string | undefined): string {
  return extension ?? format ?? (mediaOfName(input) === 'video' ? 'mp4' : 'png');
}

/** File system errors of volumes without hard links. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

interface SaveOptions {
  /** Whether an existing file is replaced. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

/**
 * Writes a file next to its place, then moves it there whole: no one sees a part of it.
 * @throws Error that names the path when it exists and `force` is not set
 */
export async function saveFile(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { force, signal }: SaveOptions,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const part = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.part`);
  try {
    await pipeline(bytes, createWriteStream(part, { flags: 'wx' }), { signal });
    if (force) await rename(part, path);
    else await linkIntoPlace(part, path);
  } finally {
    await rm(part, { force: true });
  }
}

/** Returns the error of a file that the command must not replace. */
export function createExistsError(path: string): Error {
  return new Error(`${path} exists. Choose another --out, or overwrite it with --force.`);
}

/** Gives a file its final name, unless the name is taken. */
async function linkIntoPlace(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (thrown) {
    const code = getCode(thrown);
    if (code === 'EEXIST') throw createExistsError(path);
    if (!NO_LINKS.includes(code)) throw thrown;
    await copyFile(part, path, constants.COPYFILE_EXCL).catch((cause) => {
      throw getCode(cause) === 'EEXIST' ? createExistsError(path) : cause;
    });
  }
}

function getCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
}

/** Name of standard input and output, as input and as `--out`. */
export const STANDARD = '-';

/** Standard input as a file. */
export interface StoredInput {
  readonly path: string;
  remove(): Promise<void>;
}

/** Stores standard input in a temporary file, which its caller removes: a run may read it more than once. */
export async function storeInput({
  input,
  signal,
}: Pick<Terminal, 'input' | 'signal'>): Promise<StoredInput> {
  const folder = await makeOwnFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'stdin');
  try {
    await pipeline(input(), createWriteStream(path), { signal });
  } catch (thrown) {
    await remove();
    throw thrown;
  }
  return { path, remove };
}

/** @throws UsageError for a path that is no file */
export async function assertReadable(cwd: string, input: string): Promise<void> {
  if (isUrl(input) || input === STANDARD) return;
  const info = await stat(resolve(cwd, input)).catch(() => null);
  if (!info) throw new UsageError(`${input}: there is no such file.`);
  if (!info.isFile()) throw new UsageError(`${input}: is not a file.`);
}
