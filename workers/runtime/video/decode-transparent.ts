import type { EncodedPacket, InputVideoTrack } from 'mediabunny';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { type Orientation, orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { damagedVideo, packetsOf } from '../../../models/media/video/open-input.ts';
import { decodeChunks } from './decode-chunks.ts';
import { FrameCanvas } from './frame-canvas.ts';

/**
 * Decodes a track with separate alpha, as VP8 and VP9 have it in WebM, with the times of its packets. mediabunny
 * would join the two as well, but in workers from blob: URLs, which the pages' policy forbids.
 * @throws OperationError `unprocessable` when packets are corrupt
 */
export async function* transparentFrames(track: InputVideoTrack): AsyncGenerator<VideoFrame> {
  const [width, height] = [await track.getSquarePixelWidth(), await track.getSquarePixelHeight()];
  const orientation = {
    quarterTurns: ((await track.getRotation()) / 90) as Orientation['quarterTurns'],
    isMirrored: await track.getFlip(),
  };
  const config = (await track.getDecoderConfig()) as VideoDecoderConfig;
  const canvas = new FrameCanvas(width, height);
  const mattes = decodeChunks(chunksOf(track, matteOf), config, damagedVideo);
  let matte = (await mattes.next()).value;
  try {
    for await (const frame of decodeChunks(chunksOf(track, coloursOf), config, damagedVideo)) {
      const { timestamp, duration } = frame;
      const raster = canvas.read((context) => context.drawImage(frame, 0, 0, width, height));
      frame.close();
      while (matte && matte.timestamp < timestamp) {
        matte.close();
        matte = (await mattes.next()).value;
      }
      if (matte?.timestamp === timestamp) await alphaFromLuma(matte, raster);
      yield {
        ...(orientRaster(raster, orientation) as Raster8),
        timestampSeconds: timestamp / 1e6,
        durationSeconds: (duration ?? 0) / 1e6,
      };
    }
  } finally {
    matte?.close();
    await mattes.return(undefined);
  }
}

const coloursOf = (packet: EncodedPacket) => packet.toEncodedVideoChunk();
const matteOf = (packet: EncodedPacket) => packet.sideData.alpha && packet.alphaToEncodedVideoChunk();

async function* chunksOf(
  track: InputVideoTrack,
  chunkOf: (packet: EncodedPacket) => EncodedVideoChunk | undefined,
): AsyncGenerator<EncodedVideoChunk> {
  for await (const packet of packetsOf(track)) {
    const chunk = chunkOf(packet);
    if (chunk) yield chunk;
  }
}

/** Copies the luma of a frame of the same size into a raster's alpha. */
async function alphaFromLuma(frame: globalThis.VideoFrame, { width, height, data }: Raster8): Promise<void> {
  const { displayWidth, displayHeight, format } = frame;
  if (displayWidth !== width || displayHeight !== height) return;
  if (format === null) {
    throw new OperationError(
      'unavailable',
      'This browser cannot read the alpha of a video. Run it on the server.',
      { kind: 'no_codecs' },
    );
  }
  const planes = new Uint8Array(frame.allocationSize());
  const [luma] = await frame.copyTo(planes);
  if (!luma) return;
  for (let y = 0, to = 3; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) data[to] = planes[luma.offset + y * luma.stride + x];
  }
}
