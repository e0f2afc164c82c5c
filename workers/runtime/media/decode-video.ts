import {
  type EncodedPacket,
  EncodedPacketSink,
  type InputVideoTrack,
  type VideoSample,
  VideoSampleSink,
} from 'mediabunny';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { viewBytes } from '../../../models/core/view-bytes.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import type { PictureShape } from '../../../models/media/containers/picture-shape.ts';
import { readAvcParameters } from '../../../models/media/parameter-sets/avc.ts';
import { damagedVideo, getPackets } from '../../../models/media/video/open-input.ts';
import type { FrameShape } from '../../../models/media/video/open-video.ts';
import type { TrackDecoder } from '../../../models/media/video/video-frames.ts';
import type { Loading } from '../assets.ts';
import { decodeChunks } from './decode-chunks.ts';
import { FrameCanvas, framesByFfmpeg } from './decode-video-with-ffmpeg.ts';
import { assertCanRunFfmpeg } from './load-ffmpeg.ts';
import { readColours } from './read-colours.ts';

const getColours = (packet: EncodedPacket) => packet.toEncodedVideoChunk();

const getMatte = (packet: EncodedPacket) => packet.sideData.alpha && packet.alphaToEncodedVideoChunk();

/**
 * Prepares the browser's own decoder for a track, or ffmpeg.wasm where the browser would show two fields as one frame.
 * @throws OperationError `unavailable` when there is none
 */
export async function createDecoder(
  track: InputVideoTrack,
  shape: FrameShape,
  file: Blob,
  loading: Loading,
): Promise<TrackDecoder> {
  const need = await readFfmpegNeed(track);
  if (need) {
    assertCanRunFfmpeg(need);
    return { decode: () => framesByFfmpeg(file, track, shape, loading), isPlaced: true };
  }
  if (!(await track.canDecode())) {
    const codec = (await track.getCodec())?.toUpperCase() ?? 'its codec';
    throw new OperationError('unavailable', `This browser cannot decode ${codec}. Run it on the server.`);
  }
  await readColours(track);
  const isTransparent = await track.canBeTransparent();
  const decode = () => (isTransparent ? transparentFrames(track, shape) : opaqueFrames(track, shape));
  return { decode, isPlaced: false };
}

/** Returns why a track needs ffmpeg.wasm, as the start of a message; null where it does not. */
async function readFfmpegNeed(track: InputVideoTrack): Promise<string | null> {
  const codec = await track.getCodec();
  if (codec === null) return 'Decoding this video';
  if (codec !== 'avc') return null;
  const description = (await track.getDecoderConfig())?.description;
  if (!description) return null;
  return readAvcParameters(viewBytes(description)).hasFields ? 'Deinterlacing this video' : null;
}

async function* opaqueFrames(track: InputVideoTrack, shape: FrameShape): AsyncGenerator<VideoFrame> {
  const canvas = new FrameCanvas(shape);
  for await (const { sample, followsDamage } of getSamples(track)) {
    const raster = orientRaster(canvas.read(sample.toVideoFrame()), shape);
    const { timestamp: timestampSeconds, duration: durationSeconds } = sample;
    yield { ...raster, timestampSeconds, durationSeconds, ...(followsDamage && { followsDamage }) };
  }
}

interface Decoded {
  readonly sample: VideoSample;
  readonly followsDamage: boolean;
}

/**
 * Iterates over samples; each is closed when the next is requested, or the reader stops. A decoder that fails is replaced by another one at
 * the next key frame.
 * @throws OperationError `unprocessable` when there is none
 */
async function* getSamples(track: InputVideoTrack): AsyncGenerator<Decoded> {
  let from: EncodedPacket | null = null;
  let reachedSeconds = Number.NEGATIVE_INFINITY;
  let followsDamage = false;
  for (;;) {
    const samples = new VideoSampleSink(track).samples(from?.timestamp);
    try {
      for (;;) {
        const { value: sample } = await samples.next();
        if (!sample) return;
        reachedSeconds = sample.timestamp;
        try {
          yield { sample, followsDamage };
        } finally {
          sample.close();
        }
      }
    } catch (thrown) {
      from = await nextKeyPacket(track, from, reachedSeconds);
      if (!from) throw damagedVideo(thrown);
      followsDamage = true;
    } finally {
      await samples.return();
    }
  }
}

/** Finds the next key frame behind the samples so far, and behind the one at which decoding began. */
async function nextKeyPacket(
  track: InputVideoTrack,
  from: EncodedPacket | null,
  reachedSeconds: number,
): Promise<EncodedPacket | null> {
  const packets = new EncodedPacketSink(track);
  let packet = from ?? (await packets.getFirstPacket({ metadataOnly: true }));
  do packet = packet && (await packets.getNextKeyPacket(packet, { metadataOnly: true }));
  while (packet && packet.timestamp <= reachedSeconds);
  return packet;
}

/**
 * Decodes a track with separate alpha, as VP8 and VP9 have it in WebM, with the times of its packets. mediabunny
 * would join the two as well, but in workers from blob: URLs, which the pages' policy forbids.
 * @throws OperationError `unprocessable` when packets are corrupt
 */
async function* transparentFrames(track: InputVideoTrack, shape: FrameShape): AsyncGenerator<VideoFrame> {
  const config = (await track.getDecoderConfig()) as VideoDecoderConfig;
  const canvas = new FrameCanvas(shape);
  const mattes = decodeChunks(getChunks(track, getMatte), config, damagedVideo);
  let matte = (await mattes.next()).value;
  try {
    for await (const frame of decodeChunks(getChunks(track, getColours), config, damagedVideo)) {
      const { timestamp, duration } = frame;
      const raster = canvas.read(frame);
      while (matte && matte.timestamp < timestamp) {
        matte.close();
        matte = (await mattes.next()).value;
      }
      if (matte?.timestamp === timestamp) await alphaFromLuma(matte, raster, shape);
      yield {
        ...orientRaster(raster, shape),
        timestampSeconds: timestamp / 1e6,
        durationSeconds: (duration ?? 0) / 1e6,
      };
    }
  } finally {
    matte?.close();
    await mattes.return(undefined);
  }
}

async function* getChunks(
  track: InputVideoTrack,
  getChunk: (packet: EncodedPacket) => EncodedVideoChunk | undefined,
): AsyncGenerator<EncodedVideoChunk> {
  for await (const packet of getPackets(track)) {
    const chunk = getChunk(packet);
    if (chunk) yield chunk;
  }
}

/** Copies the luma of a frame with the pixels of the raster into its alpha. */
async function alphaFromLuma(
  frame: globalThis.VideoFrame,
  { width, height, data }: Raster8,
  { coded, crop }: PictureShape,
): Promise<void> {
  const { displayWidth, displayHeight, format } = frame;
  if (displayWidth !== coded.width || displayHeight !== coded.height) return;
  if (crop.width !== width || crop.height !== height) return;
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
    for (let x = 0; x < width; x++, to += 4)
      data[to] = planes[luma.offset + (crop.top + y) * luma.stride + crop.left + x];
  }
}
