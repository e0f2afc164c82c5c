import { OperationError } from '../../../core/operation/errors.ts';
import type { AudioContainer, AudioProbeOptions } from '../../../core/runtime/audio-facts.ts';
import { assertNotEmpty } from '../../bytes/assert-not-empty.ts';
import { SIGNATURE_BYTES } from '../formats/audio-container.ts';
import { unknownFormat } from '../formats/unknown-format.ts';
import type { SplitAudio } from '../parts/audio-part.ts';
import { findAudio } from '../parts/find-audio.ts';
import { splitAudio } from '../parts/split-audio.ts';

/** Parts of an audio file, whose tracks are not opened yet. */
export interface FoundParts extends SplitAudio {
  readonly container: AudioContainer;
}

/**
 * Recognizes a file by its bytes, and finds its parts.
 * @throws OperationError `bad_request` when it is empty, too large, or of no known format
 */
export async function findParts(
  file: Blob,
  { bytesMax = Number.POSITIVE_INFINITY, signal }: Pick<AudioProbeOptions, 'bytesMax' | 'signal'>,
): Promise<FoundParts> {
  if (file.size > bytesMax) {
    const megabytes = (bytes: number) => `${Math.ceil(bytes / 100_000) / 10} MB`;
    throw new OperationError(
      'bad_request',
      `The file has ${megabytes(file.size)}. At most ${megabytes(bytesMax)} are allowed.`,
    );
  }
  assertNotEmpty(file, 'audio file');
  const found = await findAudio(file, signal);
  if (!found) throw unknownFormat(new Uint8Array(await file.slice(0, SIGNATURE_BYTES).arrayBuffer()));
  const { container } = found;
  return { container, ...(await splitAudio(found.file, container, signal)) };
}
