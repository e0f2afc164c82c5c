import type { AudioCodec } from '../../../models/core/runtime/audio-codec.ts';
import type { VideoCodec } from '../../../models/core/runtime/video-codec.ts';
import { muxVideo } from '../../../models/media/video/mux-video.ts';
import { openVideo } from '../../../models/media/video/open-video.ts';
import type { Loading } from '../assets.ts';
import { createDecoder } from './decode-video.ts';
import { transcodeAudio } from './transcode-audio.ts';
import { WebVideoEncoder } from './video-encoder.ts';

/**
 * Creates the video codec for browsers: mediabunny for the containers, WebCodecs for the codecs, ffmpeg.wasm for
 * interlaced video and codecs that the browser lacks.
 * @param audio reads the audio that has to be re-encoded
 */
export function createVideoCodec(audio: Pick<AudioCodec, 'decode'>, loading: Loading): VideoCodec {
  return {
    decode: (input, options) =>
      openVideo(input, options, (track, shape) =>
        createDecoder(track, shape, input, { ...loading, signal: options.signal }),
      ),
    encode: (frames, options) =>
      muxVideo(frames, options, {
        openEncoder: WebVideoEncoder.open,
        decodeAudio: audio.decode,
        transcodeAudio,
      }),
  };
}
