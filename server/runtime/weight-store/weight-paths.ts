import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type WeightCard, weightFileName } from '../../../models/core/runtime/weight-card.ts';

/** In two steps: a bundler would take a literal path for a module, and not find it. */
const resolveFromHere = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Weights that ship with the package. */
const BUNDLED_DIR = resolveFromHere('../../../models/weights');

/** Returns the path of a card's file, whether it exists or not. @param directory of downloaded weights */
export function getPath(directory: string, card: WeightCard): string {
  return join(card.url === null ? BUNDLED_DIR : directory, weightFileName(card));
}

/** Returns the path of the bytes of an unfinished download. */
export function getPart(path: string): string {
  return `${path}.part`;
}

/** Returns the path of the lock that the writer of the file holds. */
export function getLock(path: string): string {
  return `${path}.lock`;
}

/** Returns the size of a file in bytes; null when there is none. */
export async function sizeOf(path: string): Promise<number | null> {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
}
