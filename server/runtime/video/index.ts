import { COUNTED_MAX } from '../../../models/kernels/video/frame-rate.ts';
import { damagedVideo, wholeFrames } from '../../../models/kernels/video/whole-frames.ts';
import type { Video, VideoCodec, VideoDecodeOptions } from '../../../models/video-codec.ts';
import { decodeFrames } from './decode-frames.ts';
import { encodeVideo } from './encode-video.ts';
import { openPictures } from './open-input.ts';

/** Video in Node: mediabunny for the containers, FFmpeg (node-av) for the codecs. */
export function createVideoCodec(): VideoCodec {
  return { decode, encode: encodeVideo };
}

async function decode(input: Blob, { signal }: VideoDecodeOptions): Promise<Video> {
  signal.throwIfAborted();
  const track = await openPictures(input);
  try {
    const durationSeconds = await track.computeDuration();
    const { averagePacketRate } = await track.computePacketStats(COUNTED_MAX);
    return {
      width: await track.getDisplayWidth(),
      height: await track.getDisplayHeight(),
      durationSeconds,
      frameRate: averagePacketRate,
      frames: () => wholeFrames(decodeFrames(track, signal), durationSeconds),
    };
  } catch (thrown) {
    throw damagedVideo(thrown);
  }
}
