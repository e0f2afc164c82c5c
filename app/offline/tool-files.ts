import type { OperationId } from '../../models/registry.ts';

/** Scripts and programs from this size on are cached for the tools that use them, not for all. */
const LARGE_BYTES_MIN = 1_000_000;

/** The bundler names a package's program or model after its file, and a script chunk by its content alone. */
const CHUNK = '/_next/static/chunks/';

/** Large files that the workers of an operation may load, by the beginnings of their names; none for one left out. */
const LARGE_FILES: Readonly<Partial<Record<OperationId, readonly string[]>>> = {
  // ImageMagick for most formats, x265 of ffmpeg for HEIC.
  'media-convert-image': ['magick', 'ffmpeg-core'],
  // ImageMagick for colour profiles, ffmpeg for the audio track of videos.
  'remove-bg': ['ort', 'matte', 'magick', 'ffmpeg-core'],
  // ImageMagick for formats that the browser does not read.
  'image-moderation': ['ort', 'nsfw-mobilenet', 'magick'],
  // ImageMagick for formats that the browser does not read, ffmpeg for the audio track of videos.
  upscale: ['ort', 'upscale', 'magick', 'ffmpeg-core'],
  // ffmpeg for sound that the browser does not decode.
  'audio-diarize': ['ort', 'silero-vad', 'speakers', 'overlap', 'ffmpeg-core'],
  'audio-separate-stems': ['ort', 'stems', 'ffmpeg-core'],
  // ImageMagick for formats that the browser does not read; the matting model finds what is not to be repeated, the other judges.
  'image-outpaint': ['ort', 'matte', 'nsfw-mobilenet', 'magick'],
};

const NAMED = new Set(Object.values(LARGE_FILES).flat());

/** Reports whether an operation may load a static file. Small scripts are shared: every operation may. */
export function mayLoad(operationId: OperationId, url: string, bytes: number): boolean {
  const name = url.slice(url.lastIndexOf('/') + 1);
  const isNamed = [...NAMED].some((start) => name.startsWith(start));
  if (isNamed) return (LARGE_FILES[operationId] ?? []).some((start) => name.startsWith(start));
  // The only large chunk is the decoder of HEIC, for the tools that read images.
  return bytes < LARGE_BYTES_MIN || url.startsWith(CHUNK);
}
