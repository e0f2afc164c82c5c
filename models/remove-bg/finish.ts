import { putBehind, valueBeforeEnds } from '../kernels/cut-out.ts';
import type { Raster8 } from '../kernels/opaque.ts';
import { fitWithin, resizeAlpha, resizeColours } from '../kernels/resize.ts';
import type { OutputFile } from '../operation.ts';
import type { FloatImage, Raster } from '../raster.ts';
import type { Runtime } from '../runtime.ts';
import { cutOutBy, WORKING_SIDE } from './matte-edges.ts';
import { encodeRaster, readBackdrop, readRaster } from './pixels.ts';
import { Retouch } from './retouch.ts';
import type { RemoveBgParams } from './schema.ts';
import type { Stroke } from './strokes.ts';

/** What is still to be decided about a cutout once its subject has been found. */
export interface Look {
  readonly strokes: readonly Stroke[];
  /** As in a request. A picture comes as the attachment `background`. */
  readonly background: RemoveBgParams['background'];
  readonly output_format: RemoveBgParams['output_format'];
}

/** A picture and the cutout that was made of it: all that is needed to go on from there, wherever it was made. */
export interface CutoutFiles {
  readonly original: Blob;
  /** With transparency: what is opaque in it is subject. */
  readonly cutout: Blob;
}

type Pixels = Pick<Runtime, 'images' | 'signal' | 'attachments' | 'progress'>;

/** Shares of the time. */
const CUT_OUT = 0.6;

/**
 * Makes the file of a cutout with its retouching, background and format, at full size, without looking for the subject
 * again. At most one raster of that size is held at a time.
 * @throws OperationError `unprocessable` when an image is corrupt; `bad_request` naming `background`
 */
export async function finishCutout(files: CutoutFiles, look: Look, runtime: Pixels): Promise<OutputFile> {
  const raster = await cutOutWith(files, look, runtime);
  runtime.progress(CUT_OUT);
  return encodeRaster(raster, look.output_format, {
    ...runtime,
    progress: (fraction) => runtime.progress(CUT_OUT + (1 - CUT_OUT) * fraction),
  });
}

async function cutOutWith(files: CutoutFiles, look: Look, runtime: Pixels): Promise<Raster8> {
  const onRow = (y: number) => {
    if (y % 64 === 0) runtime.signal.throwIfAborted();
  };
  if (look.strokes.length === 0) {
    const raster = await readRaster(files.cutout, runtime);
    const backdrop = await readBackdrop(look.background, raster, runtime);
    if (backdrop) putBehind(raster, backdrop, onRow);
    return raster;
  }
  const { raster, colours, retouch } = await openRetouch(files, runtime);
  const backdrop = await readBackdrop(look.background, raster, runtime);
  const matte = retouch.after(look.strokes, () => runtime.signal.throwIfAborted());
  cutOutBy(raster, colours, unrefined(matte), backdrop, onRow);
  return raster;
}

/** Reads both files for retouching. The raster is the original's, at full size. */
export async function openRetouch(
  { original, cutout }: CutoutFiles,
  runtime: Pick<Runtime, 'images' | 'signal'>,
): Promise<{ raster: Raster8; colours: FloatImage; retouch: Retouch }> {
  const opacity = workingAlpha(await readRaster(cutout, runtime));
  const raster = await readRaster(original, runtime);
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
