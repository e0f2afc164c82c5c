import { type InputVideoTrack, type VideoSample, VideoSampleSink } from 'mediabunny';
import { OperationError } from '../../../models/errors.ts';
import { COUNTED_MAX } from '../../../models/kernels/video/frame-rate.ts';
import { damagedVideo, wholeFrames } from '../../../models/kernels/video/whole-frames.ts';
import type { Video, VideoDecodeOptions, VideoFrame } from '../../../models/video-codec.ts';
import { transparentFrames } from './decode-transparent.ts';
import { FrameCanvas } from './frame-canvas.ts';
import { openInput } from './open-input.ts';

/** Opens a video for the browser's own decoders. */
export async function decodeVideo(input: Blob, { signal }: VideoDecodeOptions): Promise<Video> {
  signal.throwIfAborted();
  const track = await openPictures(input);
  if (!(await track.canDecode())) {
    const codec = (await track.getCodec())?.toUpperCase() ?? 'its codec';
    throw new OperationError('unavailable', `This browser cannot decode ${codec}. Run it on the server.`);
  }
  const isTransparent = await track.canBeTransparent();
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  const durationSeconds = await track.computeDuration();
  const { averagePacketRate } = await track.computePacketStats(COUNTED_MAX).catch((thrown: unknown) => {
    throw damagedVideo(thrown);
  });
  return {
    width,
    height,
    durationSeconds,
    frameRate: averagePacketRate,
    frames: () => {
      const decoded = isTransparent ? transparentFrames(track) : opaqueFrames(track, width, height);
      return wholeFrames(shownFrames(decoded, signal), durationSeconds);
    },
  };
}

async function openPictures(input: Blob): Promise<InputVideoTrack> {
  const track = await openInput(input)
    .getPrimaryVideoTrack()
    .catch((thrown: unknown) => {
      throw damagedVideo(thrown);
    });
  if (!track) throw new OperationError('unprocessable', 'The file has no pictures, only sound.');
  return track;
}

/** Frames with the times at which they are shown; those before the start are left out. */
async function* shownFrames(
  decoded: AsyncIterable<VideoFrame>,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  /** Some containers do not say how long the last frame lasts: as long as the one before it. */
  let lastingSeconds = 0;
  for await (const frame of decoded) {
    signal.throwIfAborted();
    if (frame.durationSeconds > 0) lastingSeconds = frame.durationSeconds;
    const timestampSeconds = Math.max(0, frame.timestampSeconds);
    const endSeconds = frame.timestampSeconds + lastingSeconds;
    if (frame.timestampSeconds < 0 && endSeconds <= 0) continue;
    yield { ...frame, timestampSeconds, durationSeconds: endSeconds - timestampSeconds };
  }
}

/** With the times of their packets. */
async function* opaqueFrames(
  track: InputVideoTrack,
  width: number,
  height: number,
): AsyncGenerator<VideoFrame> {
  const canvas = new FrameCanvas(width, height);
  for await (const sample of samplesOf(track)) {
    const raster = canvas.read((context) => sample.draw(context, 0, 0, width, height));
    yield { ...raster, timestampSeconds: sample.timestamp, durationSeconds: sample.duration };
  }
}

/** Each sample is closed when the next is asked for. */
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
