import { openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { OPERATIONS } from '../../../models/registry.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';

// The fields of the request body, without its URL.
const params = { to_format: 'avif', quality: 60 };
const photo = await openAsBlob('photo.jpg', { type: 'image/jpeg' });
const runtime = createNodeRuntime({
  signal: AbortSignal.timeout(60_000),
});

const { files, engine } = await OPERATIONS[
  'media-convert-image'
].execute(photo, params, runtime);
for (const { name, blob } of files) {
  await writeFile(name, Buffer.from(await blob.arrayBuffer()));
  console.log(name, engine);
}
