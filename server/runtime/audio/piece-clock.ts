import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { frameCountOf, type PcmPiece } from '../../../models/runtime/pcm.ts';
import { copyPlanarSamples } from './planar-samples.ts';

/** Times of frames are in microseconds. */
const TICK_SECONDS = 1e-6;

/** Converter of frames to pieces. A frame without a time follows the one before it. */
export class PieceClock {
  #endSeconds = 0;

  /** End of the last piece, in seconds. */
  get endSeconds(): number {
    return this.#endSeconds;
  }

  pieceOf(frame: Frame): PcmPiece {
    const isTimed = frame.pts !== AV_NOPTS_VALUE;
    const timestampSeconds = isTimed ? Number(frame.pts) * TICK_SECONDS : this.#endSeconds;
    const piece = { timestampSeconds, sampleRate: frame.sampleRate, channels: copyPlanarSamples(frame) };
    this.#endSeconds = timestampSeconds + frameCountOf(piece.channels) / piece.sampleRate;
    return piece;
  }
}
