import { type InputVideoTrack, type VideoSample, VideoSampleSink } from 'mediabunny';
import { OperationError } from '../../../models/errors.ts';
import { damagedVideo, wholeFrames } from '../../../models/kernels/video/whole-frames.ts';
import type { Video, VideoDecodeOptions, VideoFrame } from '../../../models/video-codec.ts';
import { openInput } from './open-input.ts';

/** Opens a video for the browser's own decoders. */
export async function decodeVideo(input: Blob, { signal }: VideoDecodeOptions): Promise<Video> {
  signal.throwIfAborted();
  const track = await openPictures(input);
  if (!(await track.canDecode())) {
    const codec = (await track.getCodec())?.toUpperCase() ?? 'its codec';
    throw new OperationError('unavailable', `This browser cannot decode ${codec}. Run it on the server.`);
  }
  if (await track.canBeTransparent()) {
    throw new OperationError(
      'unavailable',
      'Transparent video is not read on this device. Run it on the server.',
    );
  }
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  const durationSeconds = await track.computeDuration();
  return {
    width,
    height,
    durationSeconds,
    frames: () => wholeFrames(framesOf(track, width, height, signal), durationSeconds),
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

async function* framesOf(
  track: InputVideoTrack,
  width: number,
  height: number,
  signal: AbortSignal,
): AsyncGenerator<VideoFrame> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
  if (!context)
    throw new OperationError('unavailable', 'This browser lends no canvas. Run it on the server.');
  /** Some containers do not say how long the last frame lasts: as long as the one before it. */
  let lastingSeconds = 0;
  for await (const sample of samplesOf(track)) {
    signal.throwIfAborted();
    if (sample.duration > 0) lastingSeconds = sample.duration;
    const startSeconds = Math.max(0, sample.timestamp);
    const endSeconds = sample.timestamp + lastingSeconds;
    if (sample.timestamp >= 0 || endSeconds > 0) {
      sample.draw(context, 0, 0, width, height);
      const { data } = context.getImageData(0, 0, width, height);
      const bytes = new Uint8Array(data.buffer as ArrayBuffer);
      yield {
        width,
        height,
        data: bytes,
        timestampSeconds: startSeconds,
        durationSeconds: endSeconds - startSeconds,
      };
    }
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
