import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});
// Connects again where the stream breaks off.
const states = client.events(process.env.REQUEST_ID ?? '');
for await (const { status, progress } of states) {
  console.log(status, progress);
}
