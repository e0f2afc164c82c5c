import type { VideoCodec } from '../../../models/video-codec.ts';
import { decodeVideo } from './decode-video.ts';
import { encodeVideo } from './encode-video.ts';

/** Video in the browser: mediabunny for the containers, WebCodecs for the codecs. */
export function createVideoCodec(): VideoCodec {
  return { decode: decodeVideo, encode: encodeVideo };
}
