import type { EncodedPacket, InputVideoTrack } from 'mediabunny';
import type { Frame } from 'node-av/lib';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { packetsOf } from '../../../models/media/open-input.ts';
import type { Raster8 } from '../../../models/runtime/raster.ts';
import type { VideoFrame } from '../../../models/runtime/video-codec.ts';
import { AvDecoder, type CodedBytes } from './av-decoder.ts';
import { alphaFromLuma, PixelConverter } from './pixels.ts';

/** Transform from a track's coded frames to shown ones. */
interface Shape {
  /** With square pixels, before rotation. */
  readonly width: number;
  readonly height: number;
  readonly quarterTurns: 0 | 1 | 2 | 3;
  readonly isMirrored: boolean;
}

/**
 * Decodes the frames of a track as shown, in presentation order, with the times of their packets.
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
        yield {
          ...(orientRaster(raster, shape) as Raster8),
          timestampSeconds: Number(frame.pts) / 1e6,
          durationSeconds: Number(frame.duration) / 1e6,
        };
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
