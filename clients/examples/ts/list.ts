import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
// Fetches page after page.
const requests = client.allRequests({ status: 'COMPLETED', limit: 10 });
for await (const { request_id, billing } of requests) {
  console.log(request_id, billing.charged_usd);
}
