import { AV_CHANNEL_ORDER_AMBISONIC, AV_CHANNEL_ORDER_NATIVE, AV_NOPTS_VALUE } from 'node-av/constants';
import type { ChannelLayout, Frame } from 'node-av/lib';
import { frameCountOf, type PcmPiece } from '../../../models/core/runtime/pcm.ts';
import { ambisonic } from '../../../models/media/audio/formats/ambisonic.ts';
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
    const { sampleRate, channelLayout } = frame;
    const piece = {
      timestampSeconds,
      sampleRate,
      channels: copyPlanarSamples(frame),
      ...maskOf(channelLayout),
    };
    this.#endSeconds = timestampSeconds + frameCountOf(piece.channels) / piece.sampleRate;
    return piece;
  }
}

/** Returns the mask of a layout that has one. @throws OperationError `unprocessable` for ambisonic sound */
function maskOf({ order, mask }: ChannelLayout): Pick<PcmPiece, 'channelMask'> {
  if (order === AV_CHANNEL_ORDER_AMBISONIC) throw ambisonic();
  return order === AV_CHANNEL_ORDER_NATIVE ? { channelMask: Number(mask) } : {};
}
