import { OperationError } from '../errors.ts';
import { type Backdrop, imageBackdrop } from '../kernels/backdrop.ts';
import { firstFrame } from '../kernels/first-frame.ts';
import { type Raster8, toEightBits } from '../kernels/opaque.ts';
import { pictureOf } from '../kernels/raster-picture.ts';
import type { OutputFile } from '../operation.ts';
import type { Runtime } from '../runtime.ts';
import { backdropOf, parseBackground } from './background.ts';
import type { CutoutFormat } from './formats.ts';
import type { Behind } from './look.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

const WHITE = [255, 255, 255] as const;
const QUALITY = 92;

/** An image's first frame in sRGB, 8 bits. @throws OperationError `unprocessable` when it is corrupt */
export async function readRaster(
  input: Blob,
  { images, signal }: Pick<Runtime, 'images' | 'signal'>,
): Promise<Raster8> {
  const picture = await images.decode(input, { frames: 'first', colour: 'srgb', signal });
  return toEightBits(await firstFrame(picture));
}

/**
 * What a background, as it stands in a request, is for a picture of a size; null leaves it transparent. A picture comes
 * with the run, as its attachment `background`.
 * @throws OperationError `bad_request` naming `background` when it is of no known kind or was not sent along
 */
export async function readBackdrop(
  text: string,
  size: Size,
  runtime: Pick<Runtime, 'images' | 'signal' | 'attachments'>,
): Promise<Backdrop | null> {
  if (parseBackground(text)?.kind !== 'picture') {
    return backdropOfBehind({ kind: 'css', background: text }, size, runtime);
  }
  const picture = runtime.attachments.get('background');
  if (!picture) throw new OperationError('bad_request', 'background: the image was not sent along.');
  return backdropOfBehind({ kind: 'picture', picture }, size, runtime);
}

/**
 * What stands behind, for a picture of a size, where that does not depend on the picture; null leaves it transparent.
 * @throws OperationError `bad_request` naming `background` when it is of no known kind
 */
export async function backdropOfBehind(
  behind: Exclude<Behind, { kind: 'blurred' }>,
  { width, height }: Size,
  codecs: Pick<Runtime, 'images' | 'signal'>,
): Promise<Backdrop | null> {
  if (behind.kind === 'picture') {
    return imageBackdrop(await readRaster(behind.picture, codecs), width, height);
  }
  const background = parseBackground(behind.background);
  if (background && background.kind !== 'picture') return backdropOf(background, width, height);
  throw new OperationError('bad_request', 'background: is of no known kind.');
}

/** What is transparent becomes white where the format holds no transparency. */
export async function encodeRaster(
  raster: Raster8,
  format: CutoutFormat,
  { images, signal, progress }: Pick<Runtime, 'images' | 'signal'> & Partial<Pick<Runtime, 'progress'>>,
): Promise<OutputFile> {
  const blob = await images.encode(pictureOf(raster, { hasAlpha: true, metadata: {} }), {
    format,
    quality: QUALITY,
    background: WHITE,
    metadata: {},
    signal,
    ...(progress && { onProgress: progress }),
  });
  return { name: `output.${format}`, mediaType: `image/${format}`, blob };
}
