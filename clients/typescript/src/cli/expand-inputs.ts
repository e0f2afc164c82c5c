import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { mediaOfName } from '../node.ts';
import { OPERATIONS } from '../operations.ts';
import type { Media, OperationId } from '../types.ts';
import { UsageError } from './exit-codes.ts';
import { isUrl, STANDARD } from './files.ts';

/** Inputs of a command, after folders and patterns were read. */
interface ExpandedInputs {
  readonly inputs: readonly string[];
  /** Whether results belong into a folder, though there is but one. */
  readonly isMany: boolean;
}

/**
 * Replaces folders by the files in them that an operation reads, and patterns such as `photos/**\/*.heic`, which the
 * shell has left to the command, by the files that match. Hidden files are left out.
 * @throws UsageError for what is missing, or matches no file
 */
export async function expandInputs(
  id: OperationId,
  cwd: string,
  given: readonly string[],
): Promise<ExpandedInputs> {
  const fields: Partial<Record<Media, string>> = OPERATIONS[id].fields;
  const isReadable = (path: string) => {
    const media = mediaOfName(path);
    return media !== undefined && fields[media] !== undefined;
  };
  const inputs: string[] = [];
  let isMany = given.length > 1;
  for (const input of given) {
    const info =
      isUrl(input) || input === STANDARD ? null : await stat(resolve(cwd, input)).catch(() => null);
    const isPattern = !info && !isUrl(input) && /[*?[{]/.test(input);
    if (!info?.isDirectory() && !isPattern) {
      inputs.push(input);
      continue;
    }
    const found = isPattern
      ? await findMatches(cwd, input)
      : (await listFiles(resolve(cwd, input), false)).filter(isReadable).map((name) => join(input, name));
    if (found.length === 0) {
      throw new UsageError(
        `${input}: ${isPattern ? 'matches no file' : 'the folder has no file to process'}.`,
      );
    }
    inputs.push(...found);
    isMany = true;
  }
  return { inputs: [...new Set(inputs)], isMany };
}

/** Lists the files of a folder by their paths below it, in order. */
async function listFiles(folder: string, isDeep: boolean): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: isDeep }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length)
        .replace(/^[\\/]/, ''),
    )
    .filter((path) => !path.split(sep).some((part) => part.startsWith('.')))
    .toSorted();
}

async function findMatches(cwd: string, pattern: string): Promise<string[]> {
  const parts = pattern.split('/');
  const at = parts.findIndex((part) => /[*?[{]/.test(part));
  const base = parts.slice(0, at).join('/');
  const folder = resolve(cwd, at > 0 && base === '' ? '/' : base);
  const rest = parts.slice(at);
  const matcher = toRegExp(rest.join('/'));
  const files = await listFiles(folder, rest.length > 1);
  return files
    .filter((path) => matcher.test(path.split(sep).join('/')))
    .map((path) => (at > 0 ? join(base || '/', path) : path));
}

/** Returns the expression of a pattern: `*`, `?`, `[a-z]`, `{png,jpg}`, and `**` over folders. */
function toRegExp(pattern: string): RegExp {
  const text = pattern.replace(/\*\*\/|\*\*|\*|\?|\[!?[^\]]+\]|\{[^}]*\}|[\\^$.|+()[\]{}]/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.startsWith('[') && part.length > 1) return part.replace(/^\[!/, '[^').replaceAll('\\', '\\\\');
    if (part.startsWith('{') && part.length > 1) {
      const choices = part.slice(1, -1).split(',');
      return `(?:${choices.map((choice) => toRegExp(choice).source.slice(1, -1)).join('|')})`;
    }
    return `\\${part}`;
  });
  return new RegExp(`^${text}$`);
}
