import { expose, transfer } from 'comlink';
import { OperationError } from '../../models/core/operation/errors.ts';
import { createProgressMeter } from '../../models/core/runtime/progress.ts';
import type { FloatImage, Raster8 } from '../../models/core/runtime/raster.ts';
import { fitWithin, resizeRaster } from '../../models/kernels/raster/resize.ts';
import { probeImage } from '../../models/media/image/image-header.ts';
import type { CutoutFiles } from '../../models/operations/remove-bg/cutout-edits.ts';
import { finishCutout, openRetouch } from '../../models/operations/remove-bg/finish-cutout.ts';
import { cutOutWithMatte, WORKING_SIDE } from '../../models/operations/remove-bg/matte-edges.ts';
import type { Retouch } from '../../models/operations/remove-bg/retouch.ts';
import { toOutcome } from '../bridge/protocol.ts';
import { createImageCodec } from '../runtime/image-codec/index.ts';
import type { RetouchWorker } from './retouch.ts';

/** Longer side of the preview during retouching, in pixels. */
const PREVIEW_SIDE = 1600;

/** Retouching ends with its worker. */
const { signal } = new AbortController();
const codecs = { images: createImageCodec({ signal, meter: createProgressMeter(() => {}) }), signal };

interface Session {
  readonly picture: Raster8;
  readonly colours: FloatImage;
  readonly retouch: Retouch;
}

let session: Session | undefined;

const worker: RetouchWorker = {
  open: (files) =>
    toOutcome(async () => {
      const { raster, colours, retouch } = await openRetouch(await withSmallCutout(files), codecs);
      const { width, height } = fitWithin(raster, PREVIEW_SIDE);
      session = { picture: resizeRaster(raster, width, height), colours, retouch };
    }),
  preview: (strokes) =>
    toOutcome(async () => {
      if (!session) throw new OperationError('internal', 'No cutout is open for retouching.');
      const { picture, colours, retouch } = session;
      const { width, height } = picture;
      const raster = { width, height, data: picture.data.slice() };
      cutOutWithMatte(raster, colours, retouch.matteAfter(strokes), {
        backdrop: null,
        isRefined: true,
        onRow: () => {},
      });
      const pixels = new Uint8ClampedArray(raster.data.buffer);
      const bitmap = await createImageBitmap(new ImageData(pixels, width, height));
      return bitmap;
    }).then((outcome) => (outcome.ok ? transfer(outcome, [outcome.value]) : outcome)),
  finish: (files, edits) =>
    toOutcome(async () => {
      const isRetouched = edits.strokes.length > 0;
      return finishCutout(isRetouched ? await withSmallCutout(files) : files, edits, codecs);
    }),
};

/** Reads only the alpha of the cutout, at working size, so that the browser's decoder frees the rest soon. */
async function withSmallCutout({ original, cutout }: CutoutFiles): Promise<CutoutFiles> {
  const { width, height } = fitWithin(
    await probeImage(cutout, { pixelsMax: Number.POSITIVE_INFINITY }),
    WORKING_SIDE,
  );
  const bitmap = await createImageBitmap(cutout, {
    resizeWidth: width,
    resizeHeight: height,
    resizeQuality: 'high',
  });
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { original, cutout: await canvas.convertToBlob({ type: 'image/png' }) };
}

expose(worker);
