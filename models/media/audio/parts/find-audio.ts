import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import { getAudioContainer, SIGNATURE_BYTES } from '../formats/audio-container.ts';
import { ByteReader } from '../formats/byte-reader.ts';
import { findId3End } from '../mp3/lame-tag.ts';
import { findFrameContainer, isFrameContainer } from './split-frames.ts';

/** Audio of a file, behind its ID3v2 tags. */
export interface FoundAudio {
  readonly container: AudioContainer;
  readonly file: Blob;
}

/**
 * Recognizes the audio of a file by its bytes, never by its name or media type. Frames may begin late.
 * @returns null for an unknown format
 */
export async function findAudio(file: Blob, signal?: AbortSignal): Promise<FoundAudio | null> {
  const tagEnd = await findId3End(new ByteReader(file, signal));
  const body = tagEnd > 0 && tagEnd < file.size ? file.slice(tagEnd) : file;
  const head = new Uint8Array(await body.slice(0, SIGNATURE_BYTES).arrayBuffer());
  const container = getAudioContainer(head);
  if (container && !isFrameContainer(container)) return { container, file: body };
  const framed = (await findFrameContainer(new ByteReader(body, signal), container)) ?? container;
  return framed && { container: framed, file: body };
}
