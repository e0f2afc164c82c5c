import { OperationError } from '../core/operation/errors.ts';
import type { AcceptanceTask } from '../core/runtime/acceptance-test.ts';
import type { FloatImage, Raster8 } from '../core/runtime/raster.ts';
import { resizeAlpha, resizeColours, resizeImage, resizeRaster } from '../kernels/raster/resize.ts';
import { findSubject } from '../matting/find-subject.ts';
import { encodeRaster, readRaster } from '../media/image/raster-files.ts';

/** Pictures with masks next to them. */
const MASKED = ['person', 'animal', 'thing', 'car'];
const EMPTY = 'empty.jpg';

/** Longest side of mattes and masks that are compared, in pixels. */
const SIDE = 320;
/**
 * Mean by which pictures with exchanged colours may score better. Networks hardly need colour: the three that were
 * tried lose 0.02 to 0.05 when red and blue change places, so a gain tells of a wrong order.
 */
const GAIN_MAX = 0.004;
/** Pixels of the run that is timed. */
const TIMED_PIXELS = 1_000_000;

/**
 * Measures how well an engine finds subjects: the mean, over pictures of people, an animal and a thing, of the soft
 * intersection of matte and mask over their union; a picture without a subject counts by the share that stays clear.
 * @throws OperationError `unavailable` when the engine takes red for blue
 */
export async function measureFigure(task: AcceptanceTask): Promise<number> {
  const pictures = await Promise.all(MASKED.map((name) => readPicture(task, name)));
  let [right, exchanged] = [0, 0];
  for (const { colours, mask } of pictures) {
    right += agreement(await find(task, colours), mask);
    exchanged += agreement(await find(task, exchangeColours(colours)), mask);
  }
  if (exchanged - right > GAIN_MAX * pictures.length) {
    throw new OperationError('unavailable', 'It finds more when red and blue are exchanged.', {
      kind: 'model_unusable',
    });
  }
  const empty = await readRaster(await task.sample(EMPTY), task.runtime);
  const nothing = await find(task, resizeColours(empty, empty.width, empty.height));
  const clear = 1 - nothing.data.reduce((sum, value) => sum + value, 0) / nothing.data.length;
  await timeRun(task);
  return (right + clear) / (pictures.length + 1);
}

async function readPicture(
  { runtime, sample }: AcceptanceTask,
  name: string,
): Promise<{ readonly colours: FloatImage; readonly mask: FloatImage }> {
  const picture = await readRaster(await sample(`${name}.jpg`), runtime);
  const mask = await readRaster(await sample(`${name}-mask.png`), runtime);
  const scale = SIDE / Math.max(mask.width, mask.height);
  const [width, height] = [Math.round(mask.width * scale), Math.round(mask.height * scale)];
  return {
    colours: resizeColours(picture, picture.width, picture.height),
    // A mask is grey, so its three channels are equal.
    mask: resizeAlpha(asAlpha(mask), width, height),
  };
}

function asAlpha(raster: Raster8): Raster8 {
  const data = raster.data.slice();
  for (let at = 0; at < data.length; at += 4) data[at + 3] = data[at];
  return { ...raster, data };
}

async function find({ engine, runtime }: AcceptanceTask, colours: FloatImage): Promise<FloatImage> {
  const { inference, signal } = runtime;
  const options = { engine, isStill: false, signal, onProgress: () => {} } as const;
  return (await findSubject(inference, colours, options)).matte;
}

/** Returns the soft intersection over the union, 0 to 1. */
function agreement(matte: FloatImage, mask: FloatImage): number {
  const found = resizeImage(matte, mask.width, mask.height).data;
  let [both, either] = [0, 0];
  mask.data.forEach((wanted, at) => {
    both += Math.min(wanted, found[at]);
    either += Math.max(wanted, found[at]);
  });
  return either === 0 ? 1 : both / either;
}

function exchangeColours(image: FloatImage): FloatImage {
  const data = image.data.slice();
  for (let at = 0; at < data.length; at += 3) {
    [data[at], data[at + 2]] = [image.data[at + 2], image.data[at]];
  }
  return { ...image, data };
}

/** Times a whole run on a picture of a megapixel. */
async function timeRun(task: AcceptanceTask): Promise<void> {
  const picture = await readRaster(await task.sample('person.jpg'), task.runtime);
  const scale = Math.sqrt(TIMED_PIXELS / (picture.width * picture.height));
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  const { signal, images } = task.runtime;
  const large = await encodeRaster(
    resizeRaster(picture, width, height),
    { format: 'jpeg' },
    { images, signal },
  );
  await task.time((width * height) / 1e6, () => task.run(large.blob, { engine: task.engine }));
}
