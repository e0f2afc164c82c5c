import { z } from 'zod';
import { getCommand, type NamePattern, type Operation } from './define-operation.ts';

/** Facts about the contents of a file; those that mean nothing for it are absent. */
const FACTS = {
  width: z.int().optional().meta({ description: 'Pixels as shown; of images and videos.' }),
  height: z.int().optional().meta({ description: 'Pixels as shown; of images and videos.' }),
  frames: z.int().optional().meta({ description: 'Of animations and videos; absent for stills.' }),
  duration_seconds: z.number().optional().meta({ description: 'Of audio and videos.' }),
};

export type FileFacts = z.output<z.ZodObject<typeof FACTS>>;

/** File of a result, as its job lists it. */
export const resultFileSchema = z
  .object({
    url: z.string().meta({ description: 'As in `media_url`.' }),
    name: z.string().meta({
      description: 'Made of the input’s name, `output` where it has none: a download gets this name.',
      example: 'otter-remove-bg.png',
    }),
    media_type: z.string().meta({ description: 'Media type of its bytes.', example: 'image/png' }),
    bytes: z.int().meta({ description: 'Size of the file.' }),
    sha256: z.string().meta({ description: 'In hex.' }),
    ...FACTS,
  })
  .meta({ id: 'ResultFile' });

export type ResultFile = z.output<typeof resultFileSchema>;

/** Longest name of an input, in characters: the name of a result adds to it, and file systems allow 255 bytes. */
const STEM_LENGTH_MAX = 60;
/** Longest name by a pattern. */
const NAME_LENGTH_MAX = 120;

/** Returns the name of the file at a URL, without control characters; null where its path ends in none. */
export function nameOfUrl(url: string): string | null {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last).replace(/[\p{Cc}\p{Cs}]+/gu, '_') || null;
  } catch {
    return last;
  }
}

/**
 * Returns the name under which a result file is downloaded.
 * @param inputName of the client's own file, with or without an extension; null where none is known
 * @param name of the file within its run: `output.png`, `vocals.mp3`
 * @param about the result, for a name that its request asks for
 */
export function nameResult(
  operation: Operation,
  inputName: string | null,
  name: string,
  about?: NamedResult,
): string {
  const dot = name.lastIndexOf('.');
  const [stem, extension] = [name.slice(0, dot), name.slice(dot)];
  const pattern = about && operation.namePattern?.(about.params, stem);
  const filled = pattern && fillPattern(pattern, getStem(inputName ?? '') || 'output', about);
  if (filled) return `${filled}${extension}`;
  const suffix =
    operation.nameSuffix?.(stem) ?? (stem === 'output' ? getCommand(operation).suffix : `-${stem}`);
  return `${getStem(inputName ?? '') || 'output'}${suffix}${extension}`;
}

/** Facts of a result that its name may repeat. */
export interface NamedResult {
  readonly params: unknown;
  readonly facts: FileFacts;
  /** Number of the result among those of a batch, from 1. */
  readonly number: number;
}

/**
 * Fills the pattern of a name, of which `{name}`, `{step}`, `{width}`, `{height}` and `{n}` stand for facts.
 * @param name of the input
 * @returns a name without an extension that a file may have; empty where nothing of it may
 */
export function fillPattern(
  { pattern, step }: NamePattern,
  name: string,
  { facts: { width = 0, height = 0 }, number }: Omit<NamedResult, 'params'>,
): string {
  const values = new Map(Object.entries({ name, step, width, height, n: number }));
  return getStem(
    `${pattern.replace(/\{(\w+)\}/g, (all, key) => String(values.get(key) ?? all))}.`,
    NAME_LENGTH_MAX,
  );
}

/** Returns the name of a file without its extension, and without what folders, URLs or a file system interpret. */
function getStem(name: string, lengthMax = STEM_LENGTH_MAX): string {
  const plain = name
    .replace(/\.[a-z\d]{1,5}$/i, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]+/gu, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  return [...plain].slice(0, lengthMax).join('').trimEnd();
}
