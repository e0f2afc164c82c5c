import { OperationError } from '../errors.ts';
import { type Backdrop, imageBackdrop } from '../kernels/backdrop.ts';
import { putBehind, valueBeforeEnds } from '../kernels/cut-out.ts';
import type { Raster8 } from '../kernels/opaque.ts';
import { fitWithin, resizeAlpha, resizeColours } from '../kernels/resize.ts';
import type { OutputFile } from '../operation.ts';
import type { FloatImage, Raster } from '../raster.ts';
import type { Runtime } from '../runtime.ts';
import { backdropOf, parseBackground } from './background.ts';
import type { CutoutFormat } from './formats.ts';
import { cutOutBy, WORKING_SIDE } from './matte-edges.ts';
import { encodeRaster, readRaster } from './pixels.ts';
import { Retouch } from './retouch.ts';
import type { Stroke } from './strokes.ts';

/** What stands behind a cutout: a background as in a request, or a picture at hand. */
export type Behind =
  | { readonly kind: 'css'; readonly background: string }
  | { readonly kind: 'picture'; readonly picture: Blob };

/** What is still to be decided about a cutout once its subject has been found. */
export interface Look {
  readonly strokes: readonly Stroke[];
  readonly behind: Behind;
  readonly format: CutoutFormat;
}

/** A picture and the cutout that was made of it: all that is needed to go on from there, wherever it was made. */
export interface CutoutFiles {
  readonly original: Blob;
  /** With transparency: what is opaque in it is subject. */
  readonly cutout: Blob;
}

type Codecs = Pick<Runtime, 'images' | 'signal'>;

/**
 * Makes the file of a cutout with its retouching, background and format, at full size, without looking for the subject
 * again. At most one raster of that size is held at a time.
 * @throws OperationError `unprocessable` when an image is corrupt; `bad_request` naming `background`
 */
export async function finishCutout(files: CutoutFiles, look: Look, codecs: Codecs): Promise<OutputFile> {
  return encodeRaster(await cutOutWith(files, look, codecs), look.format, codecs);
}

async function cutOutWith(files: CutoutFiles, look: Look, codecs: Codecs): Promise<Raster8> {
  const onRow = (y: number) => {
    if (y % 64 === 0) codecs.signal.throwIfAborted();
  };
  if (look.strokes.length === 0) {
    const raster = await readRaster(files.cutout, codecs);
    const backdrop = await backdropFor(raster, look, codecs);
    if (backdrop) putBehind(raster, backdrop, onRow);
    return raster;
  }
  const { raster, colours, retouch } = await openRetouch(files, codecs);
  const matte = retouch.after(look.strokes, () => codecs.signal.throwIfAborted());
  cutOutBy(raster, colours, unrefined(matte), await backdropFor(raster, look, codecs), onRow);
  return raster;
}

async function backdropFor(
  { width, height }: Raster,
  { behind }: Look,
  codecs: Codecs,
): Promise<Backdrop | null> {
  if (behind.kind === 'picture')
    return imageBackdrop(await readRaster(behind.picture, codecs), width, height);
  const background = parseBackground(behind.background);
  if (background === null || background.kind === 'picture') {
    throw new OperationError('bad_request', 'background: is of no known kind.');
  }
  return backdropOf(background, width, height);
}

/** Reads both files for retouching. The raster is the original's, at full size. */
export async function openRetouch(
  { original, cutout }: CutoutFiles,
  codecs: Codecs,
): Promise<{ raster: Raster8; colours: FloatImage; retouch: Retouch }> {
  const opacity = workingAlpha(await readRaster(cutout, codecs));
  const raster = await readRaster(original, codecs);
  const { width, height } = fitWithin(raster, WORKING_SIDE);
  const colours = resizeColours(raster, width, height);
  const own = workingAlpha(raster);
  // What was half transparent from the start is no less subject for that.
  const data = opacity.data.map((alpha, place) => {
    const before = own.data[place] as number;
    return before > 0 ? Math.min(1, alpha / before) : 0;
  });
  return { raster, colours, retouch: new Retouch(colours, { ...opacity, data }) };
}

/** The refined matte as it was before its ends were made certain, so that cutting out gives it back. */
export function unrefined(matte: FloatImage): FloatImage {
  return { ...matte, data: matte.data.map(valueBeforeEnds) };
}

function workingAlpha(raster: Raster): FloatImage {
  const { width, height } = fitWithin(raster, WORKING_SIDE);
  return resizeAlpha(raster, width, height);
}
