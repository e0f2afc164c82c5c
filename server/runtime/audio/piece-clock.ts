import { AV_NOPTS_VALUE } from 'node-av/constants';
import type { Frame } from 'node-av/lib';
import { frameCountOf, type PcmPiece } from '../../../models/runtime/pcm.ts';
import { copyPlanarSamples } from './planar-samples.ts';

/** Converter of frames to pieces. A frame without a time follows the one before it. */
export class PieceClock {
  readonly #tickSeconds: number;
  #endSeconds = 0;

  /** @param tickSeconds unit of the frames' times */
  constructor(tickSeconds: number) {
    this.#tickSeconds = tickSeconds;
  }

  /** End of the last piece, in seconds. */
  get endSeconds(): number {
    return this.#endSeconds;
  }

  pieceOf(frame: Frame): PcmPiece {
    const isTimed = frame.pts !== AV_NOPTS_VALUE;
    const timestampSeconds = isTimed ? Number(frame.pts) * this.#tickSeconds : this.#endSeconds;
    const piece = { timestampSeconds, sampleRate: frame.sampleRate, channels: copyPlanarSamples(frame) };
    this.#endSeconds = timestampSeconds + frameCountOf(piece.channels) / piece.sampleRate;
    return piece;
  }
}
