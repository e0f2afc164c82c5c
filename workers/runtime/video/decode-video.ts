import { type InputVideoTrack, type VideoSample, VideoSampleSink } from 'mediabunny';
import { hasAvcFields } from '../../../models/files/containers/avc-fields.ts';
import { damagedVideo } from '../../../models/media/open-input.ts';
import type { TrackDecoder } from '../../../models/media/place-frames.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { VideoFrame } from '../../../models/runtime/video-codec.ts';
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
  for await (const sample of samplesOf(track)) {
    const raster = canvas.read((context) => sample.draw(context, 0, 0, width, height));
    yield { ...raster, timestampSeconds: sample.timestamp, durationSeconds: sample.duration };
  }
}

/** Iterates over samples; each is closed when the next is requested. */
async function* samplesOf(track: InputVideoTrack): AsyncGenerator<VideoSample> {
  const samples = new VideoSampleSink(track).samples();
  try {
    for (;;) {
      const { value: sample } = await samples.next().catch((thrown: unknown) => {
        throw damagedVideo(thrown);
      });
      if (!sample) return;
      yield sample;
      sample.close();
    }
  } finally {
    await samples.return();
  }
}
