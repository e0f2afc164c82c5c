import { expose, transfer } from 'comlink';
import { OperationError } from '../models/errors.ts';
import { parseParams } from '../models/params.ts';
import type { Raster } from '../models/raster.ts';
import { type EnlargedRegion, enlargeRegion } from '../models/upscale/enlarge-region.ts';
import { decodeStill, type Still } from '../models/upscale/run-image.ts';
import { saveRegion } from '../models/upscale/save-region.ts';
import { paramsSchema } from '../models/upscale/schema.ts';
import type { RegionOrder, RegionWorker } from './enlarge-regions.ts';
import { cancelled, toOutcome } from './protocol.ts';
import type { ReportProgress } from './runtime/progress-meter.ts';
import { createWebRuntime } from './runtime/web-runtime.ts';

/** Controller of the current call; calls are sequential. */
let controller = new AbortController();
let still: Still | undefined;

const worker: RegionWorker = {
  open: (image) =>
    toOutcome(async () => {
      const { images, signal } = runtimeFor(() => {});
      still = await decodeStill(image, images, signal);
    }),
  preview: (order) =>
    toOutcome(async () => {
      const { raster, ...facts } = await enlarged(
        order,
        runtimeFor(() => {}),
      );
      return { ...facts, bitmap: await bitmapOf(raster) };
    }).then((answered) => (answered.ok ? transfer(answered, [answered.value.bitmap]) : answered)),
  save: (order, onProgress) =>
    toOutcome(async () => {
      const runtime = runtimeFor(onProgress);
      const region = await enlarged(order, runtime);
      const { raster: _, ...facts } = region;
      const file = await saveRegion(region, opened(), paramsOf(order), runtime);
      return { ...facts, file };
    }),
  cancel: () => controller.abort(cancelled()),
};

function runtimeFor(onProgress: ReportProgress) {
  controller = new AbortController();
  return createWebRuntime({ attachments: new Map(), signal: controller.signal, onProgress });
}

function enlarged(
  order: RegionOrder,
  { inference, signal, progress }: ReturnType<typeof runtimeFor>,
): Promise<EnlargedRegion> {
  const options = { inference, signal, isFast: order.isFrame, onProgress: progress };
  return enlargeRegion(opened(), order.region, paramsOf(order), options);
}

function opened(): Still {
  if (!still) throw new OperationError('internal', 'No image is open for its regions.');
  return still;
}

const paramsOf = ({ params }: RegionOrder) => parseParams(paramsSchema, params);

function bitmapOf({ width, height, data }: Raster): Promise<ImageBitmap> {
  const shift = data instanceof Uint16Array ? 8 : 0;
  const pixels = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at++) pixels[at] = (data[at] as number) >> shift;
  return createImageBitmap(new ImageData(pixels, width, height));
}

expose(worker);
