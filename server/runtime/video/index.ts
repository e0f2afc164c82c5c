import { muxVideo } from '../../../models/media/mux-video.ts';
import { openVideo } from '../../../models/media/open-video.ts';
import type { VideoCodec } from '../../../models/runtime/video-codec.ts';
import { decodeFrames } from './decode-frames.ts';
import { transcodeAudio } from './transcode-audio.ts';
import { AvVideoEncoder } from './video-encoders.ts';

/** Creates the video codec for Node: mediabunny for the containers, FFmpeg (node-av) for the codecs. */
export function createVideoCodec(): VideoCodec {
  return {
    decode: (input, options) =>
      openVideo(input, options, async (track) => () => decodeFrames(track, options.signal)),
    encode: (frames, options) =>
      muxVideo(frames, options, {
        openEncoder: async (...encoding) => new AvVideoEncoder(...encoding),
        transcodeAudio,
      }),
  };
}
