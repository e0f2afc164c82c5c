import type { OutputFile } from '../../core/operation/run-result.ts';
import type { FloatImage, ImageSize, Raster, Raster8 } from '../../core/runtime/raster.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { fitWithin, resizeAlpha, resizeColours, resizeImage } from '../../kernels/raster/resize.ts';
import { encodeRaster, readRaster } from '../../media/image/raster-files.ts';
import { type Backdrop, imageBackdrop, smoothBackdrop } from './backdrop.ts';
import { BLURRED_SIDE, type CutoutEdits, type CutoutFiles } from './cutout-edits.ts';
import { alphaBox, layOutSubject } from './lay-out-subject.ts';
import { abortCheck, compositeOver } from './matte/cut-out.ts';
import { cutOutWithMatte, WORKING_SIDE } from './matte-edges.ts';
import { placeSubject } from './place-subject.ts';
import type { Placement } from './placement.ts';
import { backdropOfChoice, blurredSurroundings } from './read-backdrop.ts';
import { Retouch } from './retouch.ts';

const NOTHING = { kind: 'css', background: 'transparent' } as const;

type Codecs = Pick<Runtime, 'images' | 'signal'>;

/**
 * Makes the file of a cutout with its retouching, background, placement and format, at full size, without finding the
 * subject again. Holds at most one raster of that size at a time.
 * @throws OperationError `unprocessable` when an image is corrupt; `bad_request` naming `background`
 */
export async function finishCutout(
  files: CutoutFiles,
  edits: CutoutEdits,
  codecs: Codecs,
): Promise<OutputFile> {
  const { placement } = edits;
  const raster = placement
    ? await placed(files, edits, placement, codecs)
    : await cutOutWith(files, edits, codecs);
  return encodeRaster(raster, { format: edits.format }, codecs);
}

async function placed(
  files: CutoutFiles,
  edits: CutoutEdits,
  placement: Placement,
  codecs: Codecs,
): Promise<Raster8> {
  const { background } = edits;
  const around = await readSurroundings(files, edits, codecs);
  const cutout = await cutOutWith(files, { ...edits, background: NOTHING }, codecs);
  return await placeCutout(cutout, placement, codecs, async (canvas) => {
    if (background.kind !== 'blurred') return await backdropOfChoice(background, canvas, codecs);
    if (!around) return null;
    const surroundings = blurredSurroundings(around, resizeAlpha(cutout, around.width, around.height));
    return imageBackdrop(surroundings, canvas.width, canvas.height);
  });
}

async function cutOutWith(files: CutoutFiles, edits: CutoutEdits, codecs: Codecs): Promise<Raster8> {
  const onRow = abortCheck(codecs.signal);
  if (edits.strokes.length === 0) {
    const around = await readSurroundings(files, edits, codecs);
    const raster = await readRaster(files.cutout, codecs);
    const matte = around && resizeAlpha(raster, around.width, around.height);
    const backdrop = await backdropFor(
      raster,
      edits,
      codecs,
      () => matte && blurredSurroundings(around, matte),
    );
    if (backdrop) compositeOver(raster, backdrop, onRow);
    return raster;
  }
  const { raster, colours, retouch } = await openRetouch(files, codecs);
  const matte = retouch.matteAfter(edits.strokes, () => codecs.signal.throwIfAborted());
  const backdrop = await backdropFor(raster, edits, codecs, () => {
    const { width, height } = fitWithin(raster, BLURRED_SIDE);
    return blurredSurroundings(resizeImage(colours, width, height), resizeImage(matte, width, height));
  });
  cutOutWithMatte(raster, colours, matte, { backdrop, isRefined: true, onRow });
  return raster;
}

async function backdropFor(
  { width, height }: Raster,
  { background }: CutoutEdits,
  codecs: Codecs,
  blurred: () => Raster | null,
): Promise<Backdrop | null> {
  if (background.kind !== 'blurred') return backdropOfChoice(background, { width, height }, codecs);
  const surroundings = blurred();
  return surroundings && smoothBackdrop(surroundings, width, height);
}

/**
 * Reads the small original that a blurred background needs; null for other backgrounds. Called before the cutout is
 * read, so that only one of them is held at full size.
 */
async function readSurroundings(
  { original }: CutoutFiles,
  { background }: CutoutEdits,
  codecs: Codecs,
): Promise<FloatImage | null> {
  if (background.kind !== 'blurred') return null;
  const raster = await readRaster(original, codecs);
  const { width, height } = fitWithin(raster, BLURRED_SIDE);
  return resizeColours(raster, width, height);
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
  // A half-transparent input pixel belongs no less to the subject.
  const data = opacity.data.map((alpha, pixel) => {
    const before = own.data[pixel];
    return before > 0 ? Math.min(1, alpha / before) : 0;
  });
  return { raster, colours, retouch: new Retouch(colours, { ...opacity, data }) };
}

function workingAlpha(raster: Raster): FloatImage {
  const { width, height } = fitWithin(raster, WORKING_SIDE);
  return resizeAlpha(raster, width, height);
}

/**
 * Places the subject of a transparent cutout on a canvas.
 * @param readBackdrop returns the backdrop of a canvas; null leaves it transparent
 */
export async function placeCutout(
  cutout: Raster8,
  { layout: options, shadow }: Placement,
  { signal }: { readonly signal: AbortSignal },
  readBackdrop: (canvas: ImageSize) => Promise<Backdrop | null>,
): Promise<Raster8> {
  const layout = layOutSubject(cutout, alphaBox(cutout), options);
  const backdrop = await readBackdrop(layout);
  return placeSubject(cutout, layout, { shadow, backdrop, onRow: abortCheck(signal) });
}
