import { setTimeout } from 'node:timers/promises';
import { createClient } from '@darkroom/client';

const client = createClient({
  origin: process.env.DARKROOM_URL ?? '',
  apiKey: process.env.DARKROOM_KEY ?? '',
});

let job = await client.getJob(process.env.REQUEST_ID ?? '');
while (job.status === 'QUEUED' || job.status === 'PROCESSING') {
  await setTimeout(5_000);
  job = await client.getJob(job.request_id);
}
console.log(job);
