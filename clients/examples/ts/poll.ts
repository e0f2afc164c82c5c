import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
const job = await client.wait(process.env.REQUEST_ID ?? '');
console.log(job);
