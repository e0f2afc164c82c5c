import type { EncodedPacket, InputVideoTrack } from 'mediabunny';
import type { Frame } from 'node-av/lib';
import type { Raster8 } from '../../../models/kernels/opaque.ts';
import { orientRaster } from '../../../models/kernels/orient-raster.ts';
import type { VideoFrame } from '../../../models/video-codec.ts';
import { AvDecoder, type CodedBytes } from './av-decoder.ts';
import { packetsOf } from './open-input.ts';
import { alphaFromLuma, PixelConverter } from './pixels.ts';

/** How a track's coded pictures become shown ones. */
interface Shape {
  /** With square pixels, before the turn. */
  readonly width: number;
  readonly height: number;
  readonly quarterTurns: 0 | 1 | 2 | 3;
  readonly isMirrored: boolean;
}

/**
 * The frames of a track as they are shown, in that order.
 * @throws OperationError `unprocessable` when packets are corrupt
 */
export async function* decodeFrames(track: InputVideoTrack, signal: AbortSignal): AsyncGenerator<VideoFrame> {
  const shape = await shapeOf(track);
  const format = {
    codec: await track.getCodec(),
    description: (await track.getDecoderConfig())?.description,
  };
  using colours = new AvDecoder(format);
  using opacity = (await track.canBeTransparent()) ? new AvDecoder(format) : null;
  using pixels = new PixelConverter();
  /** Some containers do not say how long the last frame lasts: as long as the one before it. */
  let lasting = 0n;
  const mattes = new Map<bigint, Frame>();
  try {
    for await (const packet of withEnd(packetsOf(track))) {
      signal.throwIfAborted();
      const alpha = packet ? alphaOf(packet) : null;
      if (opacity && (alpha || !packet)) keepFrames(opacity.decode(alpha), mattes);
      for (const frame of colours.decode(packet)) {
        const raster = pixels.toRgba(frame, shape.width, shape.height);
        const matte = mattes.get(frame.pts);
        if (matte) alphaFromLuma(matte, raster);
        matte?.free();
        mattes.delete(frame.pts);
        if (frame.duration > 0n) lasting = frame.duration;
        const timed = timedFrame(orientRaster(raster, shape) as Raster8, frame.pts, lasting);
        if (timed) yield timed;
      }
    }
  } finally {
    for (const matte of mattes.values()) matte.free();
  }
}

async function shapeOf(track: InputVideoTrack): Promise<Shape> {
  return {
    width: await track.getSquarePixelWidth(),
    height: await track.getSquarePixelHeight(),
    quarterTurns: ((await track.getRotation()) / 90) as Shape['quarterTurns'],
    isMirrored: await track.getFlip(),
  };
}

async function* withEnd<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item | null> {
  yield* items;
  yield null;
}

function alphaOf(packet: EncodedPacket): CodedBytes | null {
  const { microsecondTimestamp, microsecondDuration, sideData } = packet;
  return sideData.alpha ? { data: sideData.alpha, microsecondTimestamp, microsecondDuration } : null;
}

function keepFrames(frames: Iterable<Frame>, into: Map<bigint, Frame>): void {
  for (const frame of frames) {
    const kept = frame.clone();
    if (kept) into.set(frame.pts, kept);
  }
}

/** @returns null for what lies before the start */
function timedFrame(raster: Raster8, pts: bigint, duration: bigint): VideoFrame | null {
  const startSeconds = Number(pts) / 1e6;
  const endSeconds = startSeconds + Number(duration) / 1e6;
  if (startSeconds < 0 && endSeconds <= 0) return null;
  const timestampSeconds = Math.max(0, startSeconds);
  return { ...raster, timestampSeconds, durationSeconds: Math.max(0, endSeconds - timestampSeconds) };
}
