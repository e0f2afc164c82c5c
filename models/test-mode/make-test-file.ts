import type { OutputFile, TestAudio, TestFile, TestImage, TestVideo } from '../core/operation/run-result.ts';
import { AUDIO_MEDIA_TYPES, type PcmChunk } from '../core/runtime/audio-codec.ts';
import { type ImageSize, type Raster8, type Rgb, WHITE } from '../core/runtime/raster.ts';
import type { Runtime } from '../core/runtime/runtime.ts';
import type { VideoFrame } from '../core/runtime/video-codec.ts';
import { assembleStrips, type StripImage, stripPicture } from '../kernels/raster/picture.ts';
import { stackMatte } from '../kernels/raster/stack-matte.ts';

/** Letters of the mark, each in a grid of 5 x 5 cells. */
const LETTERS: Readonly<Record<'T' | 'E' | 'S', readonly string[]>> = {
  T: ['#####', '  #  ', '  #  ', '  #  ', '  #  '],
  E: ['#####', '#    ', '#### ', '#    ', '#####'],
  S: ['#####', '#    ', '#####', '    #', '#####'],
};

const ROWS = [0, 1, 2, 3, 4].map(
  (row) => `${LETTERS.T[row]} ${LETTERS.E[row]} ${LETTERS.S[row]} ${LETTERS.T[row]}`,
);

const COLUMN_COUNT = ROWS[0]?.length ?? 0;

/** Cells of an image's width and height that the mark and its margins take. */
const MARK_CELLS = { across: COLUMN_COUNT + 8, down: ROWS.length + 6 };

/** Share of the longer side that a stripe takes. */
const STRIPE_SHARE = 1 / 16;

const INK: Rgb = [255, 255, 255];

/** Samples of a strip, at most. */
const STRIP_PIXELS = 1_000_000;

interface Mark extends ImageSize {
  /** Number that chooses the colours: 0 to 2^32 - 1. */
  readonly seed: number;
  /** Whether all but the middle of the image is transparent. */
  readonly isTransparent: boolean;
}

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

const CLEAR: Pixel = [0, 0, 0, 0];

/** Sample rate of tones, in Hz. */
const TONE_RATE = 44_100;

const AMPLITUDE = 0.25;

/** One second. */
const CHUNK_FRAMES = TONE_RATE;

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

/**
 * Yields a stereo sine tone in chunks of a second.
 * @throws the signal's reason once it aborts
 */
async function* drawTone(
  { durationSeconds, hertz }: { readonly durationSeconds: number; readonly hertz: number },
  signal: AbortSignal,
): AsyncGenerator<PcmChunk> {
  const total = Math.max(1, Math.round(durationSeconds * TONE_RATE));
  for (let start = 0; start < total; start += CHUNK_FRAMES) {
    signal.throwIfAborted();
    const count = Math.min(CHUNK_FRAMES, total - start);
    const samples = Float32Array.from(
      { length: count },
      (_, at) => AMPLITUDE * Math.sin((2 * Math.PI * hertz * (start + at)) / TONE_RATE),
    );
    yield [samples, samples.slice()];
  }
}

/** Draws stripes with the word TEST in their middle, in strips: memory does not grow with the height. */
function drawMark(mark: Mark): StripImage {
  const { width, height } = mark;
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const colourAt = createPainter(mark);
  async function* strips(): AsyncGenerator<Raster8> {
    for (let top = 0; top < height; top += rows) {
      const count = Math.min(rows, height - top);
      const data = new Uint8Array(width * count * 4);
      for (let at = 0; at < width * count; at++) {
        const [red, green, blue, alpha] = colourAt(at % width, top + Math.floor(at / width));
        data[at * 4] = red;
        data[at * 4 + 1] = green;
        data[at * 4 + 2] = blue;
        data[at * 4 + 3] = alpha;
      }
      yield { width, height: count, data };
    }
  }
  return { width, height, bitDepth: 8, strips: strips() };
}

function createPainter({ width, height, seed, isTransparent }: Mark): (x: number, y: number) => Pixel {
  const dark: Pixel = [seed & 0x7f, (seed >>> 8) & 0x7f, (seed >>> 16) & 0x7f, 255];
  const light: Pixel = [dark[0] + 48, dark[1] + 48, dark[2] + 48, 255];
  const ink: Pixel = [...INK, 255];
  const stripe = Math.max(1, Math.round(Math.max(width, height) * STRIPE_SHARE));
  const cell = Math.floor(Math.min(width / MARK_CELLS.across, height / MARK_CELLS.down));
  const left = Math.floor((width - cell * COLUMN_COUNT) / 2);
  const top = Math.floor((height - cell * ROWS.length) / 2);
  const isInk = (x: number, y: number) =>
    cell > 0 && ROWS[Math.floor((y - top) / cell)]?.[Math.floor((x - left) / cell)] === '#';
  const isClear = (x: number, y: number) =>
    isTransparent && (x * 8 < width || x * 8 >= width * 7 || y * 8 < height || y * 8 >= height * 7);
  return (x, y) => {
    if (isClear(x, y)) return CLEAR;
    if (isInk(x, y)) return ink;
    return Math.floor((x + y) / stripe) % 2 === 0 ? dark : light;
  };
}
