import { writeFile } from 'node:fs/promises';
import { createClient } from '@darkroom/client';
import { openFile } from '@darkroom/client/node';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});

// Uploads the file, sends the request and polls until the job has ended.
const photo = await openFile('photo.jpg');
const job = await client.run('media-convert-image', photo, {
  to_format: 'avif',
});

const [url = ''] = job.output?.media_url ?? [];
const result = await client.download(url);
await writeFile('photo.avif', Buffer.from(await result.arrayBuffer()));
