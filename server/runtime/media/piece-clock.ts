import {
  AV_CHANNEL_ORDER_AMBISONIC,
  AV_CHANNEL_ORDER_NATIVE,
  AV_NOPTS_VALUE,
  AV_SAMPLE_FMT_DBL,
  AV_SAMPLE_FMT_DBLP,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AV_SAMPLE_FMT_S16,
  AV_SAMPLE_FMT_S16P,
  AV_SAMPLE_FMT_S32,
  AV_SAMPLE_FMT_S32P,
  AV_SAMPLE_FMT_U8,
  AV_SAMPLE_FMT_U8P,
} from 'node-av/constants';
import type { ChannelLayout, Frame } from 'node-av/lib';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { getFrameCount, type PcmChunk, type PcmPiece } from '../../../models/core/runtime/audio-codec.ts';
import { ambisonic } from '../../../models/media/audio/formats/audio-errors.ts';

type Samples = Float32Array | Float64Array | Int16Array | Int32Array | Uint8Array;

interface SampleLayout {
  readonly type: { new (bytes: ArrayBuffer): Samples; readonly BYTES_PER_ELEMENT: number };
  readonly isPlanar: boolean;
  /** Scale of a sample: `(sample - zero) / fullScale` is from -1 to 1. */
  readonly fullScale: number;
  readonly zero: number;
}

const LAYOUTS = new Map<number, SampleLayout>([
  [AV_SAMPLE_FMT_FLTP, layout(Float32Array, true)],
  [AV_SAMPLE_FMT_FLT, layout(Float32Array, false)],
  [AV_SAMPLE_FMT_DBLP, layout(Float64Array, true)],
  [AV_SAMPLE_FMT_DBL, layout(Float64Array, false)],
  [AV_SAMPLE_FMT_S16P, layout(Int16Array, true, 2 ** 15)],
  [AV_SAMPLE_FMT_S16, layout(Int16Array, false, 2 ** 15)],
  [AV_SAMPLE_FMT_S32P, layout(Int32Array, true, 2 ** 31)],
  [AV_SAMPLE_FMT_S32, layout(Int32Array, false, 2 ** 31)],
  [AV_SAMPLE_FMT_U8P, layout(Uint8Array, true, 128, 128)],
  [AV_SAMPLE_FMT_U8, layout(Uint8Array, false, 128, 128)],
]);

/** Times of frames are in microseconds. */
const TICK_SECONDS = 1e-6;

/** Converter of frames to pieces. A frame without a time follows the one before it. */
export class PieceClock {
  #endSeconds = 0;

  /** End of the last piece, in seconds. */
  get endSeconds(): number {
    return this.#endSeconds;
  }

  getPiece(frame: Frame): PcmPiece {
    const isTimed = frame.pts !== AV_NOPTS_VALUE;
    const timestampSeconds = isTimed ? Number(frame.pts) * TICK_SECONDS : this.#endSeconds;
    const { sampleRate, channelLayout } = frame;
    const piece = {
      timestampSeconds,
      sampleRate,
      channels: copyPlanarSamples(frame),
      ...getMask(channelLayout),
    };
    this.#endSeconds = timestampSeconds + getFrameCount(piece.channels) / piece.sampleRate;
    return piece;
  }
}

/** Returns the mask of a layout that has one. @throws OperationError `unprocessable` for ambisonic sound */
function getMask({ order, mask }: ChannelLayout): Pick<PcmPiece, 'channelMask'> {
  if (order === AV_CHANNEL_ORDER_AMBISONIC) throw ambisonic();
  return order === AV_CHANNEL_ORDER_NATIVE ? { channelMask: Number(mask) } : {};
}

function layout(type: SampleLayout['type'], isPlanar: boolean, fullScale = 1, zero = 0): SampleLayout {
  return { type, isPlanar, fullScale, zero };
}

/** Copies the samples of a decoded frame from any layout of FFmpeg's. */
function copyPlanarSamples(frame: Frame): PcmChunk {
  const kind = LAYOUTS.get(frame.format);
  if (!kind)
    throw new OperationError(
      'unprocessable',
      'The audio has samples of an unknown format. Export it as 16-bit WAV.',
    );
  const { nbSamples: length, extendedData } = frame;
  const planes = (extendedData ?? []).map((plane) => getSamples(plane, kind));
  const channelCount = frame.channelLayout.nbChannels;
  return Array.from({ length: channelCount }, (_, channel) => {
    const source = planes[kind.isPlanar ? channel : 0];
    if (kind.isPlanar && source instanceof Float32Array) return source.slice(0, length);
    const step = kind.isPlanar ? 1 : channelCount;
    const samples = new Float32Array(length);
    for (let at = 0, from = kind.isPlanar ? 0 : channel; at < length; at++, from += step) {
      samples[at] = (source[from] - kind.zero) / kind.fullScale;
    }
    return samples;
  });
}

/** Copies a plane: FFmpeg frees its memory with the frame, and its alignment may not fit a typed array. */
function getSamples({ buffer, byteOffset, byteLength }: Buffer, { type: Type }: SampleLayout): Samples {
  const whole = byteLength - (byteLength % Type.BYTES_PER_ELEMENT);
  return new Type(buffer.slice(byteOffset, byteOffset + whole) as ArrayBuffer);
}
