import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { VideoCodec } from '../../../models/core/runtime/video-codec.ts';
import { readFfmpegDemuxer } from '../../../models/media/audio/formats/ffmpeg-demuxers.ts';
import { muxVideo } from '../../../models/media/video/mux-video.ts';
import { openVideo } from '../../../models/media/video/open-video.ts';
import { createLazyTempFolder } from '../../base/temp-dir.ts';
import { createAudioCodec } from './audio-codec.ts';
import { decodeFileFrames, decodeFrames } from './decode-frames.ts';
import { transcodeAudio } from './transcode-audio.ts';
import { AvVideoEncoder } from './video-encoders.ts';

/**
 * Creates the video codec for Node: mediabunny for the containers, FFmpeg (node-av) for the codecs, and for the files
 * whose codec mediabunny does not know.
 * @param directory resolves to the folder for files of a run. Defaults to one that ends with the process
 */
export function createVideoCodec(directory = createLazyTempFolder()): VideoCodec {
  const audio = createAudioCodec(directory);
  return {
    decode: (input, options) =>
      openVideo(input, options, async (track, shape) => {
        if ((await track.getCodec()) !== null)
          return { decode: () => decodeFrames(track, shape, options.signal), isPlaced: false };
        const path = join(await directory(), `video-${randomUUID()}`);
        const place = { demuxer: await readFfmpegDemuxer(input), path, signal: options.signal };
        return { decode: () => decodeFileFrames(input, track, shape, place), isPlaced: true };
      }),
    encode: (frames, options) =>
      muxVideo(frames, options, {
        openEncoder: async (...encoding) => new AvVideoEncoder(...encoding),
        decodeAudio: audio.decode,
        transcodeAudio,
      }),
  };
}
