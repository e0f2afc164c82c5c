import { expose, transfer } from 'comlink';
import { OperationError } from '../models/errors.ts';
import { probeImage } from '../models/kernels/image-header.ts';
import type { Raster8 } from '../models/kernels/opaque.ts';
import { fitWithin, resizeRaster } from '../models/kernels/resize.ts';
import type { FloatImage } from '../models/raster.ts';
import { finishCutout, openRetouch } from '../models/remove-bg/finish.ts';
import type { CutoutFiles } from '../models/remove-bg/look.ts';
import { cutOutBy, WORKING_SIDE } from '../models/remove-bg/matte-edges.ts';
import type { Retouch } from '../models/remove-bg/retouch.ts';
import { answer } from './protocol.ts';
import type { RetouchWorker } from './retouch.ts';
import { createImageCodec } from './runtime/image-codec/index.ts';
import { createProgressMeter } from './runtime/progress-meter.ts';

/** The longer side of what the page shows while it is being retouched. */
const PREVIEW_SIDE = 1600;

/** A retouching is ended by ending its worker. */
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
    answer(async () => {
      const { raster, colours, retouch } = await openRetouch(await withSmallCutout(files), codecs);
      const { width, height } = fitWithin(raster, PREVIEW_SIDE);
      session = { picture: resizeRaster(raster, width, height), colours, retouch };
    }),
  preview: (strokes) =>
    answer(async () => {
      if (!session) throw new OperationError('internal', 'Nothing is open for retouching.');
      const { picture, colours, retouch } = session;
      const { width, height } = picture;
      const raster = { width, height, data: picture.data.slice() };
      cutOutBy(raster, colours, retouch.after(strokes), { backdrop: null, isRefined: true, onRow: () => {} });
      const pixels = new Uint8ClampedArray(raster.data.buffer);
      const bitmap = await createImageBitmap(new ImageData(pixels, width, height));
      return bitmap;
    }).then((answered) => (answered.ok ? transfer(answered, [answered.value]) : answered)),
  finish: (files, look) =>
    answer(async () => {
      const isRetouched = look.strokes.length > 0;
      return finishCutout(isRetouched ? await withSmallCutout(files) : files, look, codecs);
    }),
};

/** Of the cutout only its opacity is used, at working size: the browser's own decoder holds the rest no longer than it must. */
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
