import { type InputVideoTrack, type VideoSample, VideoSampleSink } from 'mediabunny';
import { damagedVideo } from '../../../models/media/open-input.ts';
import type { DecodeFrames } from '../../../models/media/place-frames.ts';
import { OperationError } from '../../../models/operation/errors.ts';
import type { VideoFrame } from '../../../models/runtime/video-codec.ts';
import { transparentFrames } from './decode-transparent.ts';
import { FrameCanvas } from './frame-canvas.ts';

/**
 * Prepares the browser's own decoder for a track.
 * @throws OperationError `unavailable` when the browser has none
 */
export async function createDecoder(track: InputVideoTrack): Promise<DecodeFrames> {
  if (!(await track.canDecode())) {
    const codec = (await track.getCodec())?.toUpperCase() ?? 'its codec';
    throw new OperationError('unavailable', `This browser cannot decode ${codec}. Run it on the server.`);
  }
  const isTransparent = await track.canBeTransparent();
  return () => (isTransparent ? transparentFrames(track) : opaqueFrames(track));
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
