import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
const { status, error } = await client.cancel(
  process.env.REQUEST_ID ?? '',
);
console.log(status, error);
