import type { FFmpeg } from '@ffmpeg/ffmpeg';
import type { InputVideoTrack } from 'mediabunny';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { Raster8 } from '../../../models/core/runtime/raster.ts';
import type { VideoFrame } from '../../../models/core/runtime/video-codec.ts';
import { orientRaster } from '../../../models/kernels/raster/orient-raster.ts';
import { readFfmpegDemuxer } from '../../../models/media/audio/formats/ffmpeg-demuxers.ts';
import type { PictureShape } from '../../../models/media/containers/picture-shape.ts';
import { damagedVideo } from '../../../models/media/video/open-input.ts';
import type { FrameShape } from '../../../models/media/video/open-video.ts';
import type { Loading } from '../assets.ts';
import { ONE_THREAD, readWithFfmpeg } from './load-ffmpeg.ts';
import { readColours } from './read-colours.ts';

/** Converts decoded frames to opaque rasters of one size, which are not turned. */
export class FrameCanvas {
  readonly #context: OffscreenCanvasRenderingContext2D;
  readonly #shape: PictureShape;

  /** @throws OperationError `unavailable` when the browser has no canvas */
  constructor(shape: PictureShape) {
    this.#shape = shape;
    const { width, height } = shape;
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true });
    if (!context)
      throw new OperationError(
        'unavailable',
        'This browser has no canvas for workers. Run it on the server.',
        { kind: 'no_codecs' },
      );
    this.#context = context;
  }

  /** Draws a whole frame, whatever size it says it is shown at. */
  read(frame: globalThis.VideoFrame): Raster8 {
    const { coded, crop, width, height } = this.#shape;
    const [across, down] = [frame.displayWidth / coded.width, frame.displayHeight / coded.height];
    const { left, top } = crop;
    try {
      this.#context.drawImage(
        frame,
        ...([left * across, top * down, crop.width * across, crop.height * down] as const),
        ...([0, 0, width, height] as const),
      );
    } finally {
      frame.close();
    }
    const { data } = this.#context.getImageData(0, 0, width, height);
    return { width, height, data: new Uint8Array(data.buffer) };
  }
}

/** Pixels that one run of FFmpeg may write: they are in memory. */
const WINDOW_BYTES = 64_000_000;
const WINDOW_FRAMES_MIN = 8;
const WINDOW_FRAMES_MAX = 128;
/** Frames that are decoded once more before each window: the deinterlacer looks at the one before. */
const WARM_UP_FRAMES = 2;
/** Least difference between the times of two frames. */
const TICK_SECONDS = 0.0005;
const FOLDER = '/video';
const NAME = 'input';
const PIXELS = 'pixels';
const TIMES = 'times';

/** BWDIF as on the server. The last two filters write the time of each frame to a file. */
const FILTERS = [
  'bwdif=mode=send_frame:parity=auto:deint=interlaced',
  `metadata=add:key=frame:value=1,metadata=print:file=${TIMES}`,
];

/** Track as shown. */
interface Shape extends FrameShape {
  readonly colorSpace: VideoColorSpaceInit;
}

interface TimedPlanes {
  readonly seconds: number;
  /** I420 of the size of the shape. */
  readonly planes: Uint8Array<ArrayBuffer>;
}

/**
 * Decodes and deinterlaces the frames of a track with ffmpeg.wasm, which places them on the clock of the file. It reads
 * the file without a copy, in windows of as many frames as fit into memory.
 * @throws OperationError `unavailable` when ffmpeg.wasm cannot run on this page, or decode the codec; `unprocessable`
 * when the video is damaged
 */
export async function* framesByFfmpeg(
  file: Blob,
  track: InputVideoTrack,
  frameShape: FrameShape,
  loading: Loading,
): AsyncGenerator<VideoFrame> {
  const shape = { ...frameShape, colorSpace: await readColours(track) };
  const { width, height } = shape;
  // FFmpeg crops and scales.
  const canvas = new FrameCanvas({ coded: shape, crop: { left: 0, top: 0, width, height }, width, height });
  let held: TimedPlanes | null = null;
  let lastingSeconds = 0;
  const planes = readWithFfmpeg(loading, 'Decoding this video', (ffmpeg) =>
    getWindows(ffmpeg, file, track.number - 1, shape, loading.signal),
  );
  for await (const next of planes) {
    if (held) {
      lastingSeconds = next.seconds - held.seconds;
      yield getFrame(held, lastingSeconds, shape, canvas);
    }
    held = next;
  }
  if (held) yield getFrame(held, lastingSeconds, shape, canvas);
}

/** Yields the frames of all windows, each once. */
async function* getWindows(
  ffmpeg: FFmpeg,
  file: Blob,
  index: number,
  shape: Shape,
  signal: AbortSignal,
): AsyncGenerator<TimedPlanes> {
  try {
    await ffmpeg.createDir(FOLDER);
    await ffmpeg.mount('WORKERFS' as never, { blobs: [{ name: NAME, data: file }] }, FOLDER);
    const input = { demuxer: await readFfmpegDemuxer(file), index };
    const framesMax = windowFrames(shape);
    let reached = Number.NEGATIVE_INFINITY;
    for (let seekSeconds = 0; ; ) {
      signal.throwIfAborted();
      const window = await decodeWindow(ffmpeg, input, shape, { seekSeconds, framesMax });
      const fresh = window.filter(({ seconds }) => seconds > reached + TICK_SECONDS);
      yield* fresh;
      reached = fresh.at(-1)?.seconds ?? reached;
      if (window.length < framesMax || fresh.length === 0) return;
      seekSeconds = Math.max(0, seekBefore(window.at(-WARM_UP_FRAMES)?.seconds ?? 0));
    }
  } catch (thrown) {
    throw damagedVideo(thrown);
  }
}

/** Returns a time just before a frame in whole milliseconds, by which FFmpeg shifts all common time bases exactly. */
function seekBefore(seconds: number): number {
  return (Math.floor(seconds * 1000) - 1) / 1000;
}

function windowFrames(shape: Shape): number {
  const fitting = Math.floor(WINDOW_BYTES / frameBytes(shape));
  return Math.max(WINDOW_FRAMES_MIN, Math.min(WINDOW_FRAMES_MAX, fitting));
}

function frameBytes({ width, height }: Shape): number {
  return width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
}

/** Decodes frames from a time on. */
async function decodeWindow(
  ffmpeg: FFmpeg,
  { demuxer, index }: { readonly demuxer: string; readonly index: number },
  shape: Shape,
  { seekSeconds, framesMax }: { readonly seekSeconds: number; readonly framesMax: number },
): Promise<TimedPlanes[]> {
  const { crop, width, height } = shape;
  const part = `crop=${crop.width}:${crop.height}:${crop.left}:${crop.top}:exact=1`;
  const code = await ffmpeg.exec([
    ...['-v', 'error', '-filter_threads', '1', ...ONE_THREAD, '-noautorotate', '-f', demuxer],
    ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : []),
    ...['-i', `${FOLDER}/${NAME}`, '-map', `0:v:${index}`, '-vsync', 'passthrough'],
    ...['-vf', [...FILTERS, part, `scale=${width}:${height}`].join(','), '-frames:v', String(framesMax)],
    ...[...ONE_THREAD, '-pix_fmt', 'yuv420p', '-f', 'rawvideo', PIXELS],
  ]);
  if (code !== 0 && seekSeconds === 0) {
    throw new OperationError('unavailable', 'This browser cannot decode this video. Run it on the server.', {
      kind: 'no_codecs',
    });
  }
  if (code !== 0) throw new Error(`FFmpeg ended with ${code}.`);
  const pixels = (await ffmpeg.readFile(PIXELS)) as Uint8Array<ArrayBuffer>;
  const times = (await ffmpeg.readFile(TIMES, 'utf8')) as string;
  await ffmpeg.deleteFile(PIXELS);
  await ffmpeg.deleteFile(TIMES);
  const bytes = frameBytes(shape);
  const seconds = [...times.matchAll(/pts_time:(-?[\d.]+)/g)].map(([, time]) => Number(time) + seekSeconds);
  return Array.from({ length: Math.floor(pixels.length / bytes) }, (_, at) => ({
    seconds: seconds[at] ?? 0,
    planes: pixels.subarray(at * bytes, (at + 1) * bytes),
  }));
}

function getFrame(
  { seconds, planes }: TimedPlanes,
  durationSeconds: number,
  shape: Shape,
  canvas: FrameCanvas,
): VideoFrame {
  const frame = new globalThis.VideoFrame(planes, {
    format: 'I420',
    codedWidth: shape.width,
    codedHeight: shape.height,
    timestamp: 0,
    colorSpace: shape.colorSpace,
  });
  const upright = orientRaster(canvas.read(frame), shape);
  return { ...upright, timestampSeconds: seconds, durationSeconds };
}
