import type { RecognisedFile } from './kind-by-bytes.ts';
import { mediaKind } from './media-kind.ts';

/**
 * Recognises files by their first bytes, with code that is loaded for the first of them; by their names where it cannot
 * be loaded. Never rejects.
 */
export async function recogniseFiles(files: readonly File[]): Promise<readonly RecognisedFile[]> {
  if (files.length === 0) return [];
  const byBytes = await import('./kind-by-bytes.ts').catch(() => null);
  return byBytes ? byBytes.recogniseByBytes(files) : files.map((file) => ({ file, kind: mediaKind(file) }));
}
