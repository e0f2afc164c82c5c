import type { AviAudio, AviChunk, AviLayout } from '../formats/riff/avi.ts';
import { type AviAmount, type AviGap, type AviGaps, WRITTEN_MAX } from './avi-gaps.ts';

const HEAD_BYTES = 8;
/**
 * Most that the loss by the stated length may differ from an estimate, as a factor: beyond, it is of something else.
 */
const TRUST_FACTOR = 2;

/**
 * Makes the chunks of a track that the gaps of a file without an index probably had: as much as the header states more
 * than there is, in the gaps by their lengths; where that cannot be, as much as the same bytes have elsewhere in the
 * file.
 * @returns chunks by gap
 */
export function estimateLoss({ gaps, found }: AviGaps, layout: AviLayout, track: AviAudio): AviChunk[][] {
  const { moviStart, moviEnd } = layout;
  const lostBytes = gaps.reduce((sum, { start, end }) => sum + end - start, 0);
  const foundUnits = getUnits(found, track);
  const share = foundUnits / Math.max(1, moviEnd - moviStart - lostBytes);
  const stated = track.seconds / (track.bytesASecond > 0 ? 1 / track.bytesASecond : track.chunkSeconds);
  const ratio = (stated - foundUnits) / (share * lostBytes);
  const isTrusted = ratio > 1 / TRUST_FACTOR && ratio < TRUST_FACTOR;
  const unitsAByte = share * (isTrusted ? ratio : 1);
  const meanBytes = found.chunks > 0 ? found.bytes / found.chunks : 0;
  let [units, countLeft] = [0, WRITTEN_MAX];
  return gaps.map((gap) => {
    // Sums are rounded, so that the last gap ends where it should.
    const before = Math.round(units);
    units += (gap.end - gap.start) * unitsAByte;
    const chunks = getChunks(gap, Math.round(units) - before, { track, meanBytes, countMax: countLeft });
    countLeft -= chunks.length;
    return chunks;
  });
}

function getUnits({ bytes, chunks }: AviAmount, { bytesASecond }: AviAudio): number {
  return bytesASecond > 0 ? bytes : chunks;
}

interface LostChunks {
  readonly track: AviAudio;
  readonly meanBytes: number;
  readonly countMax: number;
}

/** Makes chunks of a number of bytes, or so many chunks, as far as a gap has room for them. */
function getChunks(
  { start, end }: AviGap,
  units: number,
  { track, meanBytes, countMax }: LostChunks,
): AviChunk[] {
  const { id, bytesASecond, format } = track;
  const room = end - start - HEAD_BYTES;
  if (room < 0 || units <= 0) return [];
  if (bytesASecond > 0) {
    const bytes = Math.min(room, units);
    return [{ at: start, id, size: bytes - (bytes % Math.max(1, format.blockBytes)) }];
  }
  const count = Math.min(units, countMax, Math.floor((end - start) / (HEAD_BYTES + 2)));
  const evenBytes = 2 * Math.floor((end - start) / count / 2);
  const step = Math.min(HEAD_BYTES + 2 * Math.ceil(meanBytes / 2), evenBytes);
  return Array.from({ length: count }, (_, at) => ({ at: start + at * step, id, size: step - HEAD_BYTES }));
}
