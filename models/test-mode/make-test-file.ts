import type { OutputFile } from '../core/operation/run-result.ts';
import type { TestAudio, TestFile, TestImage, TestVideo } from '../core/operation/test-result.ts';
import { AUDIO_MEDIA_TYPES } from '../core/runtime/audio-codec.ts';
import { type Raster8, WHITE } from '../core/runtime/raster.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import type { VideoFrame } from '../core/runtime/video-codec.ts';
import { stackMatte } from '../kernels/matte/stack-matte.ts';
import { assembleStrips, stripPicture } from '../kernels/picture/strips.ts';
import { drawMark } from './draw-mark.ts';
import { drawTone, TONE_RATE } from './draw-tone.ts';

const QUALITY = 80;
/** Frames per second: a still image needs no more. */
const FRAME_RATE = 2;

/** Source of a test file. */
export interface TestSource {
  /** Input, whose audio a video keeps. */
  readonly input: Blob;
  /** Number made from the input. */
  readonly seed: number;
}

/**
 * Makes a file as it is described: the same bytes each time.
 * @throws OperationError `unprocessable` when the image does not fit its format
 */
export async function makeTestFile(
  file: TestFile,
  source: TestSource,
  runtime: Pick<Runtime, 'images' | 'audio' | 'video' | 'signal'>,
): Promise<OutputFile> {
  switch (file.kind) {
    case 'image':
      return await makeImage(file, source, runtime);
    case 'video':
      return await makeVideo(file, source, runtime);
    case 'audio':
      return await makeAudio(file, runtime);
    case 'json': {
      const mediaType = 'application/json';
      const blob = new Blob([JSON.stringify(file.content)], { type: mediaType });
      return { name: file.name, mediaType, blob };
    }
  }
}

async function makeImage(
  { name, format, width, height, isTransparent = false }: TestImage,
  { seed }: TestSource,
  { images, signal }: Pick<Runtime, 'images' | 'signal'>,
): Promise<OutputFile> {
  const mark = drawMark({ width, height, seed, isTransparent });
  const blob = await images.encode(stripPicture(mark, { hasAlpha: isTransparent, metadata: {} }), {
    format,
    quality: QUALITY,
    background: WHITE,
    metadata: {},
    signal,
  });
  return { name, mediaType: `image/${format}`, blob };
}

async function makeVideo(
  { name, format, width, height, durationSeconds, isTransparent = false }: TestVideo,
  { input, seed }: TestSource,
  { video, signal }: Pick<Runtime, 'video' | 'signal'>,
): Promise<OutputFile> {
  const mark = drawMark({ width, height, seed, isTransparent });
  const still = (await assembleStrips(mark)) as Raster8;
  const shown = isTransparent && format === 'mp4' ? stackMatte(still) : still;
  async function* frames(): AsyncGenerator<VideoFrame> {
    const count = Math.max(1, Math.ceil(durationSeconds * FRAME_RATE));
    for (let at = 0; at < count; at++) {
      const timestampSeconds = at / FRAME_RATE;
      const endSeconds = Math.min((at + 1) / FRAME_RATE, Math.max(durationSeconds, 1 / FRAME_RATE));
      yield { ...shown, timestampSeconds, durationSeconds: endSeconds - timestampSeconds };
    }
  }
  const { blob } = await video.encode(frames(), {
    format,
    alpha: isTransparent && format === 'webm',
    frameRate: FRAME_RATE,
    soundFrom: input,
    signal,
  });
  return { name, mediaType: `video/${format}`, blob };
}

async function makeAudio(
  { name, format, durationSeconds, hertz }: TestAudio,
  { audio, signal }: Pick<Runtime, 'audio' | 'signal'>,
): Promise<OutputFile> {
  const tone = drawTone({ durationSeconds, hertz }, signal);
  const blob = await audio.encode(tone, { format, sampleRate: TONE_RATE, channelCount: 2, signal });
  const mediaType = AUDIO_MEDIA_TYPES[format];
  return { name, mediaType, blob: blob.slice(0, blob.size, mediaType) };
}
