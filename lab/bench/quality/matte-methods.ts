import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import type { FloatImage, Raster8 } from '../../../models/core/runtime/raster.ts';
import { mirrorNames } from '../../../models/core/runtime/weight-card.ts';
import { fitWithin, resizeColours, resizeImage } from '../../../models/kernels/raster/resize.ts';
import { findSubject } from '../../../models/matting/find-subject.ts';
import { MATTE_MODELS, type MatteModel } from '../../../models/matting/matte-models.ts';
import { WORKING_SIDE } from '../../../models/operations/remove-bg/matte-edges.ts';
import { removeBackground } from '../../../models/operations/remove-bg/remove-background.ts';
import { NodeInference } from '../../../server/runtime/inference/node-inference.ts';
import { WeightStore } from '../../../server/runtime/weight-store/index.ts';
import { SHARED } from '../../support/shared-folder.ts';

/** Method that predicts a matte; it leaves the photo unchanged. */
export interface MatteMethod {
  readonly name: string;
  getMatte(photo: Raster8): Promise<FloatImage>;
}

/** Enough for every model of the catalogue. */
const MEMORY_BYTES_MAX = 8_000_000_000;
const SIGNAL = new AbortController().signal;

/**
 * Lists two mattes that ignore the photo, and every model available without a download: the bundled one, and those in
 * MODEL_MIRROR (a folder) or among the shared files. Each is judged twice: as finished by the operation, and as raw
 * output scaled to full size.
 * @param directory for copies of weights
 */
export function listMatteMethods(directory: string): MatteMethod[] {
  return [
    { name: 'all foreground', getMatte: async ({ width, height }) => shape(width, height, () => 1) },
    { name: 'centre ellipse', getMatte: async ({ width, height }) => shape(width, height, inEllipse) },
    ...MATTE_MODELS.flatMap((network) => {
      const mirror = [process.env.MODEL_MIRROR, join(SHARED, 'models/media/image')].find((folder) =>
        isAvailable(folder, network),
      );
      if (mirror === undefined && network.card.url !== null) return [];
      const weights = new WeightStore({ directory, mirror: mirror ?? null, isOffline: true });
      const inference = new NodeInference({
        weights,
        endpoints: new Map(),
        memoryBytesMax: MEMORY_BYTES_MAX,
      });
      const { id } = network.card;
      return [
        { name: id, getMatte: (photo: Raster8) => runWholeOperation(inference, id, photo) },
        { name: `${id}, unrefined`, getMatte: (photo: Raster8) => modelAlone(inference, id, photo) },
      ];
    }),
  ];
}

const isAvailable = (folder: string | undefined, { card }: MatteModel): boolean =>
  folder !== undefined && mirrorNames(card).some((name) => existsSync(join(folder, name)));

async function runWholeOperation(inference: Inference, engine: string, photo: Raster8): Promise<FloatImage> {
  const raster = { ...photo, data: photo.data.slice() };
  await removeBackground(
    raster,
    { engine, subject: 'all', backdrop: null },
    { inference, signal: SIGNAL, progress: () => {} },
  );
  return shape(photo.width, photo.height, (place) => raster.data[place * 4 + 3] / 255);
}

async function modelAlone(inference: Inference, engine: string, photo: Raster8): Promise<FloatImage> {
  const { width, height } = fitWithin(photo, WORKING_SIDE);
  const colours = resizeColours(photo, width, height);
  const options = { engine, isStill: true, signal: SIGNAL, onProgress: () => {} };
  const { matte } = await findSubject(inference, colours, options);
  return resizeImage(matte, photo.width, photo.height);
}

type ValueAt = (place: number, width: number, height: number) => number;

function shape(width: number, height: number, valueAt: ValueAt): FloatImage {
  const data = new Float32Array(width * height);
  for (let place = 0; place < data.length; place++) data[place] = valueAt(place, width, height);
  return { width, height, channels: 1, data };
}

/** Centred ellipse, 70 % of each side. */
const inEllipse: ValueAt = (place, width, height) => {
  const across = ((place % width) / (width - 1)) * 2 - 1;
  const down = (Math.floor(place / width) / (height - 1)) * 2 - 1;
  return Math.hypot(across, down) < 0.7 ? 1 : 0;
};
