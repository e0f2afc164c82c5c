// Shows that the product works with the Node that runs this script: `PATH_OF_NODE --import tsx lab/smoke.ts`.
// Starts the built checkout on a free port with its own data folder, converts an image, removes a background, and stops
// it.
import { deepStrictEqual, match } from 'node:assert/strict';
import sharp from 'sharp';
import { type Account, createApiClient, type Service, startService } from './support/service.ts';

async function get(url: string): Promise<Buffer> {
  const response = await fetch(url);
  deepStrictEqual(response.status, 200, url);
  return Buffer.from(await response.arrayBuffer());
}

async function openHomePage({ url }: Service): Promise<void> {
  match((await get(url)).toString(), /Darkroom/);
}

async function convertImage({ url }: Service, { api_key: key }: Account): Promise<void> {
  const api = createApiClient(url, key);
  const accepted = await api.convert({ image_url: `${url}/samples/kitten.jpg`, to_format: 'heic' });
  deepStrictEqual(accepted.status, 202, JSON.stringify(accepted.body));
  const job = await api.ended(accepted.body.request_id, { timeoutMs: 180_000 });
  deepStrictEqual(job.status, 'COMPLETED', job.error);
  const { format, compression } = await sharp(await get(job.output.media_url[0])).metadata();
  deepStrictEqual({ format, compression }, { format: 'heif', compression: 'hevc' });
}

async function removeBackground({ url }: Service, { api_key: key }: Account): Promise<void> {
  const response = await fetch(`${url}/api/v1/remove-bg`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ image_url: `${url}/samples/lemur.jpg` }),
  });
  const body = JSON.parse(await response.text());
  deepStrictEqual(response.status, 200, JSON.stringify(body));
  const { channels } = await sharp(await get(body.output_url)).stats();
  const [alpha] = channels.slice(-1);
  deepStrictEqual([channels.length, alpha?.min, alpha?.max], [4, 0, 255]);
}

const service = await startService({ MODELS_OFFLINE: '1' });
try {
  const account = await service.account('smoke@example.com', '1');
  for (const step of [openHomePage, convertImage, removeBackground]) {
    const startedAtMs = performance.now();
    await step(service, account);
    console.log(`${step.name}: ${Math.round(performance.now() - startedAtMs)} ms`);
  }
} catch (thrown) {
  console.error(service.output().slice(-4_000));
  throw thrown;
} finally {
  deepStrictEqual(await service.stop(), 0, 'exit code of the product');
}
console.log(`The product works with Node ${process.version}.`);
