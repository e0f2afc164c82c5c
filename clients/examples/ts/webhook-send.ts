import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
const id = await client.submit(
  'media-convert-image',
  'https://example.com/photo.jpg',
  { to_format: 'avif' },
  { webhookUrl: 'https://example.com/hook' },
);
console.log(id);
