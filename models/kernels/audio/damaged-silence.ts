import type { PcmPiece } from '../../runtime/pcm.ts';

/** Makes silence in place of damaged samples, which is marked. @param like piece of the same format */
export function damagedSilence(
  { sampleRate, channels }: PcmPiece,
  startSeconds: number,
  endSeconds: number,
): PcmPiece {
  const frames = Math.max(0, Math.round((endSeconds - startSeconds) * sampleRate));
  const silence = channels.map(() => new Float32Array(frames));
  return { timestampSeconds: startSeconds, sampleRate, channels: silence, isDamaged: true };
}
