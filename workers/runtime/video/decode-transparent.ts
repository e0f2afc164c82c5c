import type { EncodedPacket, InputVideoTrack } from 'mediabunny';
import { type Orientation, orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { damagedVideo, packetsOf } from '../../../models/media/open-input.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { Raster8 } from '../../../models/runtime/raster.ts';
import type { VideoFrame } from '../../../models/runtime/video-codec.ts';
import { FrameCanvas } from './frame-canvas.ts';

/** Limit on frames queued in the decoder. */
const QUEUE_MAX = 4;

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
  const mattes = decoded(chunksOf(track, matteOf), config);
  let matte = (await mattes.next()).value;
  try {
    for await (const frame of decoded(chunksOf(track, coloursOf), config)) {
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

/** Decodes chunks with the browser's decoder, in presentation order. The caller closes each frame. */
async function* decoded(
  chunks: AsyncIterable<EncodedVideoChunk>,
  config: VideoDecoderConfig,
): AsyncGenerator<globalThis.VideoFrame, undefined> {
  const ready: globalThis.VideoFrame[] = [];
  let fault: unknown = null;
  let wake = () => {};
  const decoder = new VideoDecoder({
    output: (frame) => ready.push(frame),
    error: (thrown) => {
      fault = thrown;
      wake();
    },
  });
  decoder.addEventListener('dequeue', () => wake());
  decoder.configure(config);
  try {
    for await (const chunk of chunks) {
      decoder.decode(chunk);
      while (decoder.decodeQueueSize > QUEUE_MAX && fault === null) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (fault !== null) throw fault;
      for (let frame = ready.shift(); frame; frame = ready.shift()) yield frame;
    }
    await decoder.flush();
    for (let frame = ready.shift(); frame; frame = ready.shift()) yield frame;
  } catch (thrown) {
    throw damagedVideo(fault ?? thrown);
  } finally {
    for (const frame of ready) frame.close();
    if (decoder.state !== 'closed') decoder.close();
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
    for (let x = 0; x < width; x++, to += 4) data[to] = planes[luma.offset + y * luma.stride + x] as number;
  }
}
