import {
  type EncodedPacket,
  EncodedPacketSink,
  type InputVideoTrack,
  type VideoSample,
  VideoSampleSink,
} from 'mediabunny';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { hasAvcFields } from '../../../models/media/containers/avc-fields.ts';
import { damagedVideo } from '../../../models/media/video/open-input.ts';
import type { TrackDecoder } from '../../../models/media/video/place-frames.ts';
import { assertCanRunFfmpeg } from '../ffmpeg/load-ffmpeg.ts';
import type { Loading } from '../loading/assets.ts';
import { transparentFrames } from './decode-transparent.ts';
import { framesByFfmpeg } from './decode-with-ffmpeg.ts';
import { FrameCanvas } from './frame-canvas.ts';

/**
 * Prepares the browser's own decoder for a track, or ffmpeg.wasm where the browser would show two fields as one frame.
 * @throws OperationError `unavailable` when there is none
 */
export async function createDecoder(
  track: InputVideoTrack,
  file: Blob,
  loading: Loading,
): Promise<TrackDecoder> {
  const need = await readFfmpegNeed(track);
  if (need) {
    assertCanRunFfmpeg(need);
    return { decode: () => framesByFfmpeg(file, track, loading), isPlaced: true };
  }
  if (!(await track.canDecode())) {
    const codec = (await track.getCodec())?.toUpperCase() ?? 'its codec';
    throw new OperationError('unavailable', `This browser cannot decode ${codec}. Run it on the server.`);
  }
  const isTransparent = await track.canBeTransparent();
  const decode = () => (isTransparent ? transparentFrames(track) : opaqueFrames(track));
  return { decode, isPlaced: false };
}

/** Returns why a track needs ffmpeg.wasm, as the start of a message; null where it does not. */
async function readFfmpegNeed(track: InputVideoTrack): Promise<string | null> {
  const codec = await track.getCodec();
  if (codec === null) return 'Decoding this video';
  if (codec !== 'avc') return null;
  const description = (await track.getDecoderConfig())?.description;
  if (!description) return null;
  const bytes = ArrayBuffer.isView(description)
    ? new Uint8Array(description.buffer, description.byteOffset, description.byteLength)
    : new Uint8Array(description);
  return hasAvcFields(bytes) ? 'Deinterlacing this video' : null;
}

async function* opaqueFrames(track: InputVideoTrack): AsyncGenerator<VideoFrame> {
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  const canvas = new FrameCanvas(width, height);
  for await (const { sample, followsDamage } of samplesOf(track)) {
    const raster = canvas.read((context) => sample.draw(context, 0, 0, width, height));
    const { timestamp: timestampSeconds, duration: durationSeconds } = sample;
    yield { ...raster, timestampSeconds, durationSeconds, ...(followsDamage && { followsDamage }) };
  }
}

interface Decoded {
  readonly sample: VideoSample;
  readonly followsDamage: boolean;
}

/**
 * Iterates over samples; each is closed when the next is requested. A decoder that fails is replaced by another one at
 * the next key frame.
 * @throws OperationError `unprocessable` when there is none
 */
async function* samplesOf(track: InputVideoTrack): AsyncGenerator<Decoded> {
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
        yield { sample, followsDamage };
        sample.close();
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
