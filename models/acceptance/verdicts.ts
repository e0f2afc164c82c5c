import type { AcceptanceTask } from '../core/runtime/acceptance-test.ts';
import type { FloatImage } from '../core/runtime/raster.ts';
import { resizeColours } from '../kernels/raster/resize.ts';
import { readRaster } from '../media/image/raster-files.ts';
import type { Category } from '../moderation/categories.ts';
import { matchTexts } from '../moderation/classify-with-clip.ts';
import { CLIP, SEXUAL_ENGINES } from '../moderation/engines.ts';
import { readLabels } from '../moderation/sexual-networks.ts';

/** Labels of harmless pictures in the networks for Sexual. */
const HARMLESS = ['neutral', 'safe'];
/** Harmless picture with plain content. */
interface HarmlessPicture {
  readonly name: string;
  /** Text that fits it alone among all pictures. */
  readonly text: string;
  /** Category whose harm it stands in for: it shows something near, and must count as harmless. */
  readonly standsFor?: Category;
}

/**
 * Pictures that an engine must tell apart. Stand-ins show that a category is judged without crying wolf; how much harm
 * is found, they cannot show.
 */
export const PICTURES: readonly HarmlessPicture[] = [
  { name: 'person.jpg', text: 'a photo of a man', standsFor: 'Sexual' },
  { name: 'animal.jpg', text: 'a photo of an animal' },
  { name: 'thing.jpg', text: 'a photo of food on a plate' },
  { name: 'empty.jpg', text: 'a photo of a green field under the sky' },
  { name: 'drawing.png', text: 'a cartoon of a cat' },
  { name: 'toy-gun.png', text: 'a drawing of a toy water gun', standsFor: 'Violence' },
  { name: 'red-paint.png', text: 'a drawing of spilled red paint and a brush', standsFor: 'Violence' },
  { name: 'bandage.png', text: 'a drawing of an arm with a bandage', standsFor: 'SelfHarm' },
  { name: 'flag.png', text: 'a drawing of a flag', standsFor: 'Hate' },
];

/** Measures how sure an engine is of the right label of plain pictures: the mean of its shares, 0 to 1. */
export async function measureFigure(task: AcceptanceTask): Promise<number> {
  let sum = 0;
  for (const picture of PICTURES) {
    const raster = await readRaster(await task.sample(picture.name), task.runtime);
    const colours = resizeColours(raster, raster.width, raster.height);
    // A network sees all pictures at its own size: one of a megapixel takes as long.
    const shares = await task.time(1, () => judge(task, colours));
    const total = [...shares.values()].reduce((all, share) => all + share, 0);
    const right = [picture.text, ...HARMLESS].reduce((all, label) => all + (shares.get(label) ?? 0), 0);
    sum += total > 0 ? right / total : 0;
  }
  return sum / PICTURES.length;
}

/** Returns the share of each label, or of each text. */
async function judge(
  { engine, runtime }: AcceptanceTask,
  colours: FloatImage,
): Promise<ReadonlyMap<string, number>> {
  const { inference, signal } = runtime;
  if (engine === CLIP.id) {
    return await matchTexts(
      inference,
      colours,
      PICTURES.map(({ text }) => text),
      { signal },
    );
  }
  const network = SEXUAL_ENGINES.find(({ id }) => id === engine);
  if (!network) throw new RangeError(`${engine}: no network for verdicts`);
  return await inference.use(network.card, { signal }, (session) =>
    readLabels(network.id, session, colours, signal),
  );
}
