import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
const { price_usd, expected_seconds } = await client.quote(
  'remove-bg',
  'https://example.com/photo.jpg',
  {},
);
console.log(price_usd, expected_seconds);
