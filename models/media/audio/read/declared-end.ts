import type { AudioContainer } from '../../../core/runtime/audio-facts.ts';
import type { ByteReader } from '../formats/byte-reader.ts';
import { declaredShare } from '../formats/declared-share.ts';
import { readFlacStart } from '../formats/flac.ts';
import { readLameTag } from '../mp3/lame-tag.ts';
import { isMatroska } from './declared-placement.ts';
import type { OpenedTracks } from './open-tracks.ts';

/** Difference between declared and measured length that is not yet a missing end, in seconds and as a share. */
const MISSING_SECONDS = 0.1;
const MISSING_SHARE = 0.01;

/** Reports whether a file of chunks declares more than it has. */
export async function declaresMore(container: AudioContainer, bytes: ByteReader): Promise<boolean> {
  const hasLength = container === 'aiff' || container === 'wav' || container === 'avi';
  return hasLength && (await declaredShare(bytes, container)) > 1 + MISSING_SHARE;
}

/** Reports whether an end is missing that a header declares. */
export function isMissing(declaredSeconds: number, measuredSeconds: number): boolean {
  return declaredSeconds - measuredSeconds > Math.max(MISSING_SECONDS, MISSING_SHARE * declaredSeconds);
}

/** Reads the end of the audio that headers declare; 0 where they declare none. */
export async function declaredEnd(
  { input, audio, audioCount, hasVideo }: OpenedTracks,
  container: AudioContainer,
  measuredSeconds: number,
  bytes: ByteReader,
): Promise<number> {
  if (container === 'wav') return measuredSeconds * (await declaredShare(bytes, container));
  // Matroska declares the length of all tracks together.
  if (!audio || (isMatroska(container) && (hasVideo || audioCount > 1))) return 0;
  if (container === 'mp3' && !(await readLameTag(bytes))) return 0;
  const seconds = (await input.getDurationFromMetadata([audio])) ?? 0;
  // The header of a file that was cut at its start states the length of the whole.
  return container === 'flac' ? seconds - (await readFlacStart(bytes)) : seconds;
}
