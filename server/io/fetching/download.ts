import { rm } from 'node:fs/promises';
import { type SavedFile, saveStream } from '../../base/save-stream.ts';
import { asBadRequest } from './fetch-fault.ts';
import { type OpenOptions, openUrl, tooLarge } from './open-url.ts';

export interface DownloadOptions extends OpenOptions {
  /** Local file to write. */
  readonly path: string;
  /** Counts bytes before they are written. What it throws ends the download. */
  readonly count?: (bytes: number) => void;
  /** Checks a media type that the server names, in lower case, before the body is read. */
  readonly assertNamedType?: (mediaType: string) => void;
}

export interface Downloaded extends SavedFile {
  /** Media type that the server claims, in lower case; the bytes may differ. */
  readonly mediaType: string | null;
}

/**
 * Streams a user's URL into a local file, as {@link openUrl} reads it. Deletes the file after a failure.
 * @throws OperationError `bad_request` or `too_large` with the problem, for the caller to prefix with the field; the
 *   signal's reason once aborted
 */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  const { path, bytesMax, signal, count, assertNamedType } = options;
  const { mediaType, body, close } = await openUrl(url, options);
  try {
    if (mediaType !== null) assertNamedType?.(mediaType);
    const saved = await saveStream(body, { path, bytesMax, tooLarge: () => tooLarge(bytesMax), count });
    return { ...saved, mediaType };
  } catch (error) {
    await rm(path, { force: true });
    signal.throwIfAborted();
    throw asBadRequest(error);
  } finally {
    await close();
  }
}
