import { resizeColours } from '../../kernels/resize/resize.ts';
import { readRaster } from '../../media/read-raster.ts';
import { matchTexts } from '../../moderation/classify-with-clip.ts';
import { CLIP, SEXUAL_ENGINES } from '../../moderation/engines.ts';
import { readLabels } from '../../moderation/sexual-networks.ts';
import type { AcceptanceTask } from '../../runtime/acceptance-test.ts';
import type { FloatImage } from '../../runtime/raster.ts';

/** Labels of harmless pictures in the networks for Sexual. */
const HARMLESS = ['neutral', 'safe'];
/** Harmless pictures whose content is plain, and a text that fits each alone. */
const PICTURES = [
  { name: 'person.jpg', text: 'a photo of a man' },
  { name: 'animal.jpg', text: 'a photo of an animal' },
  { name: 'thing.jpg', text: 'a photo of food on a plate' },
  { name: 'empty.jpg', text: 'a photo of a green field under the sky' },
  { name: 'drawing.png', text: 'a cartoon of a cat' },
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
