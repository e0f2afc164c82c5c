import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
const send = () =>
  client.run(
    'media-convert-image',
    'https://example.com/photo.jpg',
    { to_format: 'avif' },
    { idempotencyKey: 'order-1234' },
  );

console.log((await send()).request_id);
// The same request_id: there is one job, and one charge.
console.log((await send()).request_id);
