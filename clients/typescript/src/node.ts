import { openAsBlob } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Media } from './types.ts';

/** Extensions of the files that operations read. The service itself decides by the bytes. */
const EXTENSIONS: Readonly<Record<Media, readonly string[]>> = {
  image: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'bmp', 'tif', 'tiff', 'avif', 'heic', 'heif'],
  video: ['mp4', 'm4v', 'mov', 'webm', 'mkv', 'avi'],
  audio: ['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus', 'm4a', 'aac', 'aif', 'aiff', 'wma', 'amr', 'ac3'],
};

/** Returns the kind of a file by its name; undefined when the extension is unknown. */
export function mediaOfName(name: string): Media | undefined {
  const extension = extname(name).slice(1).toLowerCase();
  return (Object.keys(EXTENSIONS) as Media[]).find((media) => EXTENSIONS[media].includes(extension));
}

/**
 * Opens a file as an input, in Node. Its bytes stay on the disk until they are sent.
 * @throws the system's error when it cannot be read
 */
export async function openFile(path: string): Promise<File> {
  const media = mediaOfName(path);
  const extension = extname(path).slice(1).toLowerCase();
  const blob = await openAsBlob(path);
  return new File([blob], basename(path), { type: media ? `${media}/${extension}` : '' });
}
