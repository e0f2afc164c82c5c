import { IMAGE_FORMATS, type ImageFormat } from './formats.ts';
import type { ImageFormatCard } from './image-format.ts';

/** Card of one of the listed formats. */
export type ListedFormat = ImageFormatCard<ImageFormat>;

/** Length of the first bytes of a file that its format is recognised by. */
export const SIGNATURE_BYTES = 64;

/** Lists all cards. */
export function listFormats(): readonly ListedFormat[] {
  return IMAGE_FORMATS;
}

/**
 * Returns the card of a format.
 * @throws RangeError for the id of no card
 */
export function getFormat(id: string): ListedFormat {
  const card = listFormats().find((each) => each.id === id);
  if (!card) throw new RangeError(`No image format has the id ${id}.`);
  return card;
}

/** Finds a format by a name that requests give it as a target. */
export function findTarget(name: string): ListedFormat | undefined {
  return listFormats().find(({ targetNames }) => targetNames.includes(name));
}

/**
 * Returns a format by a name that requests give it as a target.
 * @throws RangeError for the name of no target
 */
export function getTarget(name: string): ListedFormat {
  const card = findTarget(name);
  if (!card) throw new RangeError(`No image format can be written as ${name}.`);
  return card;
}

/** Finds a format by its media type. */
export function findByMediaType(mediaType: string): ListedFormat | undefined {
  return listFormats().find((each) => each.mediaType === mediaType);
}

/**
 * Recognises a format by the first bytes (64 are enough); null for an unknown one. Names and media types play no
 * part.
 */
export function getImageFormat(head: Uint8Array): ImageFormat | null {
  const text = String.fromCharCode(...head.subarray(0, SIGNATURE_BYTES));
  return listFormats().find((card) => card.matches(text))?.id ?? null;
}

/** Names formats in a sentence: `JPG, PNG or GIF`. */
export function getNames(
  ids: readonly string[] = listFormats().map(({ id }) => id),
  conjunction: 'and' | 'or' = 'or',
): string {
  return listWords(
    ids.map((id) => getFormat(id).name),
    conjunction,
  );
}

/** Joins words to a list in a sentence: `jpg, png or gif`. */
export function listWords(words: readonly string[], conjunction: 'and' | 'or'): string {
  return [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(` ${conjunction} `);
}
