import { expose, transfer } from 'comlink';
import { OperationError } from '../../models/core/operation/errors.ts';
import { parseParams } from '../../models/core/operation/params.ts';
import type { ReportProgress } from '../../models/core/runtime/progress.ts';
import type { Raster } from '../../models/core/runtime/raster.ts';
import {
  type EnlargedRegion,
  enlargeRegion,
  saveRegion,
} from '../../models/operations/upscale/enlarge-region.ts';
import { decodeStill, type Still } from '../../models/operations/upscale/run-image.ts';
import { paramsSchema } from '../../models/operations/upscale/schema.ts';
import { cancelled, toOutcome } from '../bridge/protocol.ts';
import { createWebRuntime } from '../runtime/web-runtime.ts';
import type { RegionRequest, RegionWorker } from './enlarge-regions.ts';

/** Controller of the current call; calls are sequential. */
let controller = new AbortController();
let still: Still | undefined;

const worker: RegionWorker = {
  open: (image) =>
    toOutcome(async () => {
      const { images, signal } = runtimeFor(() => {});
      still = await decodeStill(image, images, signal);
    }),
  preview: (request) =>
    toOutcome(async () => {
      const { raster, ...facts } = await enlarged(
        request,
        runtimeFor(() => {}),
      );
      return { ...facts, bitmap: await getBitmap(raster) };
    }).then((outcome) => (outcome.ok ? transfer(outcome, [outcome.value.bitmap]) : outcome)),
  save: (request, onProgress) =>
    toOutcome(async () => {
      const runtime = runtimeFor(onProgress);
      const region = await enlarged(request, runtime);
      const { raster: _, ...facts } = region;
      const file = await saveRegion(region, opened(), getParams(request), runtime);
      return { ...facts, file };
    }),
  cancel: () => controller.abort(cancelled()),
};

function runtimeFor(onProgress: ReportProgress) {
  controller = new AbortController();
  return createWebRuntime({ attachments: new Map(), signal: controller.signal, onProgress });
}

function enlarged(
  request: RegionRequest,
  { inference, signal, progress }: ReturnType<typeof runtimeFor>,
): Promise<EnlargedRegion> {
  const options = { inference, signal, isFast: request.isFrame, onProgress: progress };
  return enlargeRegion(opened(), request.region, getParams(request), options);
}

function opened(): Still {
  if (!still) throw new OperationError('internal', 'No image is open for its regions.');
  return still;
}

const getParams = ({ params }: RegionRequest) => parseParams(paramsSchema, params);

function getBitmap({ width, height, data }: Raster): Promise<ImageBitmap> {
  const shift = data instanceof Uint16Array ? 8 : 0;
  const pixels = new Uint8ClampedArray(data.length);
  for (let at = 0; at < data.length; at++) pixels[at] = data[at] >> shift;
  return createImageBitmap(new ImageData(pixels, width, height));
}

expose(worker);
