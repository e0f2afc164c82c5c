import { stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, parse, resolve } from 'node:path';
import type { Command } from './command.ts';
import { extensionOf } from './commands.ts';
import { STANDARD } from './standard-streams.ts';

/** Place of the results of an input. */
export interface OutputLocation {
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

/** Returns the path of each result by the name that the run gave it. */
export function listOutputPaths({ folder, stem, file }: OutputLocation, names: readonly string[]): string[] {
  if (names.length === 1) return names.map((name) => file ?? join(folder, stem + extname(name)));
  return names.map((name) => join(folder, `${stem}-${name}`));
}

/** Returns the path of the first result before the run, so that nobody pays for a file that cannot be saved. */
export function firstOutputPath(
  command: Command,
  place: OutputLocation,
  input: string,
  format: string | undefined,
): string {
  const extension = extensionOf(command, inputName(input), format);
  const names = command.first ? [`${command.first}.${extension}`, ''] : [`output.${extension}`];
  return listOutputPaths(place, names)[0] ?? '';
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}
