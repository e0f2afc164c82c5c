import { MIDDLE, partInShape, shortenText, splitAt } from './comparison-geometry.ts';

/** Length of the video in seconds, and its frames a second. */
const VIDEO = { seconds: 3, frameRate: 30, bitsPerSecond: 8_000_000 } as const;
/** Containers in the order in which most programs open them. */
const VIDEO_TYPES = [
  'video/mp4;codecs=avc1.42E01E',
  'video/mp4',
  'video/webm;codecs=vp9',
  'video/webm',
] as const;

/** Two states of an image, with the words for each. The second gives the size. */
export interface ComparedImages {
  readonly before: ImageBitmap;
  readonly after: ImageBitmap;
  readonly words: { readonly before: string; readonly after: string };
}

/** Draws both states with a line between them, as a PNG. */
export async function comparisonPicture(images: ComparedImages): Promise<Blob> {
  const canvas = canvasFor(images);
  draw(getContext2d(canvas), images, MIDDLE);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser drew nothing.')))),
  );
}

/** Returns the type of the videos that this browser records; undefined where it records none. */
export function videoType(): string | undefined {
  if (typeof MediaRecorder === 'undefined') return undefined;
  return VIDEO_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
}

/**
 * Records a video in which the line moves across and back.
 * @param type from `videoType`
 */
export async function comparisonVideo(
  images: ComparedImages,
  type: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (fraction: number) => void },
): Promise<Blob> {
  const canvas = canvasFor(images);
  const context = getContext2d(canvas);
  draw(context, images, MIDDLE);
  const stream = canvas.captureStream(VIDEO.frameRate);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: VIDEO.bitsPerSecond });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const ended = new Promise<void>((resolve) => recorder.addEventListener('stop', () => resolve()));
  recorder.start();
  await playLine((fraction) => {
    draw(context, images, splitAt(fraction));
    onProgress(fraction);
  }, signal);
  recorder.stop();
  await ended;
  for (const track of stream.getTracks()) track.stop();
  signal.throwIfAborted();
  return new Blob(parts, { type: type.split(';')[0] ?? type });
}

/** Calls back with each frame of the screen for the length of the video; shares of it. Ends once the signal aborts. */
function playLine(show: (fraction: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // A hidden tab draws no frames, in which an abort could be seen.
    signal.addEventListener('abort', () => resolve(), { once: true });
    const start = performance.now();
    const step = (now: number) => {
      if (signal.aborted) return;
      const fraction = Math.min(1, (now - start) / 1000 / VIDEO.seconds);
      show(Math.max(0, fraction));
      if (fraction < 1) requestAnimationFrame(step);
      else resolve();
    };
    if (signal.aborted) resolve();
    else requestAnimationFrame(step);
  });
}

/** Even sides: video encoders refuse others. */
function canvasFor({ after }: ComparedImages): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(2, after.width - (after.width % 2));
  canvas.height = Math.max(2, after.height - (after.height % 2));
  return canvas;
}

function getContext2d(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no canvas.');
  return context;
}

function draw(
  context: CanvasRenderingContext2D,
  { before, after, words }: ComparedImages,
  split: number,
): void {
  const { width, height } = context.canvas;
  const line = Math.round(width * split);
  drawBoard(context);
  context.save();
  context.beginPath();
  context.rect(0, 0, line, height);
  context.clip();
  // A placed cutout has its own canvas.
  const part = partInShape(before, after);
  context.drawImage(before, part.left, part.top, part.width, part.height, 0, 0, width, height);
  context.restore();
  context.save();
  context.beginPath();
  context.rect(line, 0, width - line, height);
  context.clip();
  drawBoard(context);
  context.drawImage(after, 0, 0, width, height);
  context.restore();
  const unit = Math.max(1, Math.round(width / 800));
  context.fillStyle = '#fff';
  context.fillRect(line - unit, 0, 2 * unit, height);
  drawTag(context, words.before, 'left', unit);
  drawTag(context, words.after, 'right', unit);
}

/** Draws the checkerboard on which transparent parts are seen. */
function drawBoard(context: CanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const side = Math.max(8, Math.round(width / 50));
  for (let y = 0; y < height; y += side) {
    for (let x = 0; x < width; x += side) {
      context.fillStyle = (x / side + y / side) % 2 === 0 ? '#ffffff' : '#e6dfd3';
      context.fillRect(x, y, side, side);
    }
  }
}

function drawTag(
  context: CanvasRenderingContext2D,
  text: string,
  side: 'left' | 'right',
  unit: number,
): void {
  const { width } = context.canvas;
  context.font = `${14 * unit}px sans-serif`;
  context.textBaseline = 'middle';
  const [inset, high, padding] = [12 * unit, 26 * unit, 8 * unit];
  const getWidth = (shown: string) => context.measureText(shown).width;
  // Side by side even in a narrow image.
  const shown = shortenText(text, width / 2 - inset - 2 * padding, getWidth);
  const wide = getWidth(shown) + 2 * padding;
  const x = side === 'left' ? inset : width - inset - wide;
  context.fillStyle = 'rgb(15 13 12 / 80%)';
  context.fillRect(x, inset, wide, high);
  context.fillStyle = '#efe8dc';
  context.fillText(shown, x + padding, inset + high / 2);
}
