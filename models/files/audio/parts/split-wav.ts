import type { ByteReader } from '../formats/byte-reader.ts';
import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';

const HEAD_BYTES = 12;
/** Length that programs declare which do not know it, since they write to a pipe. */
const UNKNOWN_BYTES = 0x7fff_f000;

/** Splits WAV files that were joined: each `RIFF` chunk is a file of its own. */
export async function splitWav(file: Blob, bytes: ByteReader): Promise<SplitAudio> {
  const starts = [0];
  for (let next = await endOfRiff(bytes, 0); next !== null && starts.length <= PARTS_MAX; ) {
    starts.push(next);
    next = await endOfRiff(bytes, next);
  }
  const parts = starts.map(
    (start, at): AudioPart => ({ file: file.slice(start, starts[at + 1] ?? file.size), position: 'next' }),
  );
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: parts.length > PARTS_MAX };
}

/** Returns where the next `RIFF` chunk begins, or null where the file ends with this one. */
async function endOfRiff(bytes: ByteReader, start: number): Promise<number | null> {
  const head = await bytes.view(start, 8);
  const size = head.getUint32(4, true);
  if (size >= UNKNOWN_BYTES) return null;
  const end = start + 8 + size;
  // Chunks begin at even offsets, but some programs leave out the padding.
  for (const next of [end, end + 1]) {
    const text = String.fromCharCode(...(await bytes.read(next, HEAD_BYTES)));
    if (text.startsWith('RIFF') && text.endsWith('WAVE')) return next;
  }
  return null;
}
