import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createClient } from '@darkroom/client';
import { openFile } from '@darkroom/client/node';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});

// A flagged photo ends its own steps. All others are cut out once, and
// converted to two formats in three sizes.
const images = ['webp', 'avif'].flatMap((to_format) =>
  [400, 1000, 2000].map((width) => ({
    id: `${to_format}-${width}`,
    operation: 'convert',
    from: 'cut',
    params: { to_format, width },
  })),
);
const steps = [
  {
    id: 'safe',
    operation: 'moderate',
    params: { categories: ['Sexual'] },
    stop_if_flagged: true,
  },
  { id: 'cut', operation: 'remove-bg' },
  ...images,
];

const photos = (await readdir('photos')).toSorted();
const items = await Promise.all(
  photos.map(async (name) => ({
    input: await openFile(`photos/${name}`),
  })),
);
const job = await client.runBatch('pipeline', items, { steps });

await mkdir('results', { recursive: true });
for (const [at, item] of job.output.items.entries()) {
  if (item.status === 'failed') console.log(photos[at], item.error);
  else if (item.stopped_by) console.log(photos[at], 'is flagged');
  else {
    for (const { url, name } of item.files) {
      const file = await client.download(url);
      await writeFile(
        `results/${name}`,
        Buffer.from(await file.arrayBuffer()),
      );
    }
  }
}
console.log(job.billing.charged_usd);
