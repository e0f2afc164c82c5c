import type { PcmPiece } from '../../core/runtime/pcm.ts';

/** Frames of a piece of silence. */
const PIECE_FRAMES = 65_536;

/**
 * Yields silence in place of damaged samples, which is marked. The pieces share one array of zeros, so that hours of
 * them take no memory; the receiver may not modify it.
 * @param like piece of the same format
 */
export function* damagedSilence(
  { sampleRate, channels }: PcmPiece,
  startSeconds: number,
  endSeconds: number,
): Generator<PcmPiece> {
  const frames = Math.max(0, Math.round((endSeconds - startSeconds) * sampleRate));
  const zeros = new Float32Array(Math.min(frames, PIECE_FRAMES));
  for (let at = 0; at < frames; at += PIECE_FRAMES) {
    const samples = zeros.subarray(0, Math.min(PIECE_FRAMES, frames - at));
    yield {
      timestampSeconds: startSeconds + at / sampleRate,
      sampleRate,
      channels: channels.map(() => samples),
      isDamaged: true,
    };
  }
}
