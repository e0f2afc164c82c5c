import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
const { usage, charged_usd } = await client.usage();
for (const { day, model_id, requests, charged_usd } of usage) {
  console.log(day, model_id, requests, charged_usd);
}
console.log('total', charged_usd);
