import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';

const paths = new WeakMap<Blob, string>();

/** Opens a file that stays as it is, whose path FFmpeg may read as well. */
export async function openFile(path: string): Promise<Blob> {
  const file = await openAsBlob(path);
  // FFmpeg takes a relative path with a colon for a URL.
  paths.set(file, resolve(path));
  return file;
}

/** Returns the path of a file that `openFile` has opened; undefined for others, and for parts of one. */
export const getPath = (file: Blob): string | undefined => paths.get(file);
