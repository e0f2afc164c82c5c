import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createClient } from '@darkroom/client';
import { openFile } from '@darkroom/client/node';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
const recipe = JSON.parse(await readFile('recipe.json', 'utf8'));
await mkdir('shop', { recursive: true });

for (const photo of await readdir('photos')) {
  // Uploads the photo, sends the recipe and waits until the job has ended.
  const input = await openFile(`photos/${photo}`);
  const { output } = await client.pipelines.run(input, recipe);
  // Each file has a name: otter-shop.webp.
  for (const { url, name } of output.files) {
    const file = await client.download(url);
    await writeFile(
      `shop/${name}`,
      Buffer.from(await file.arrayBuffer()),
    );
  }
}
