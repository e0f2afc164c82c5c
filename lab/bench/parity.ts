import { compareMedia, listMedia, loadMedia } from '../quality/media-parity.ts';
import { compareSides, listPictures, type Parity } from '../quality/parity.ts';
import { SHARED } from '../support/shared-folder.ts';
import { openWorkerPage, type WorkerPage } from '../support/worker-page.ts';

const FORMATS = ['png', 'jpg', 'webp', 'gif', 'tiff', 'avif', 'bmp'];

/** Formats with loss are compared for every so many pictures: their encoders are one and the same. */
const LOSSY_EVERY = 10;

/** Prints how alike the results of browser and server are, for all pictures and media of the shared folder. */
export async function benchParity(): Promise<void> {
  const page = await openWorkerPage();
  try {
    await benchMedia(page);
    await benchPictures(page);
  } finally {
    await page.stop();
  }
}

async function benchMedia(page: WorkerPage): Promise<void> {
  await loadMedia(page);
  console.log('| File | Part | Both sides |\n|-|-|-|');
  for (const path of listMedia(SHARED))
    for (const { part, verdict, why } of await compareMedia(page, SHARED, path))
      console.log(`| ${[path, part, `${verdict}: ${why}`].join(' | ')} |`);
}

async function benchPictures(page: WorkerPage): Promise<void> {
  const results: Parity[] = [];
  for (const [index, path] of listPictures(SHARED).entries()) {
    const formats = index % LOSSY_EVERY === 0 ? FORMATS : FORMATS.slice(0, 1);
    for (const format of formats) results.push(await compareSides(page, SHARED, path, format));
  }
  console.log('| Format | files | same bytes | alike | refused by both | differ |\n|-|-|-|-|-|-|');
  for (const format of FORMATS) {
    const own = results.filter((each) => each.format === format);
    const count = (verdict: Parity['verdict']) => own.filter((each) => each.verdict === verdict).length;
    const counts = [count('same'), count('alike'), count('refused'), count('differs')];
    console.log(`| ${[format, own.length, ...counts].join(' | ')} |`);
  }
  for (const { path, format, verdict, why } of results)
    if (verdict === 'differs') console.log(`${path} as ${format}: ${why}`);
}
