import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
// Polls where the response would take too long.
const job = await client.run(
  'remove-bg',
  'https://example.com/photo.jpg',
  {},
);
console.log(job.output?.media_url);
