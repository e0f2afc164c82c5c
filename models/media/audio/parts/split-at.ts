import { type AudioPart, PARTS_MAX, type SplitAudio } from './audio-part.ts';

/**
 * Splits a file at offsets.
 * @param starts offsets of the parts; the first is 0
 * @param isDamaged whether packets are damaged, so that gaps between the others are damage
 */
export function splitAt(file: Blob, starts: readonly number[], isDamaged = false): SplitAudio {
  const parts = starts.map(
    (start, at): AudioPart => ({
      file: starts.length === 1 ? file : file.slice(start, starts[at + 1] ?? file.size),
      position: 'next',
      ...(isDamaged && { isDamaged }),
    }),
  );
  return { parts: parts.slice(0, PARTS_MAX), isCutOff: parts.length > PARTS_MAX };
}

/** Returns a file as its only part. */
export const wholeFile = (file: Blob): SplitAudio => splitAt(file, [0]);
