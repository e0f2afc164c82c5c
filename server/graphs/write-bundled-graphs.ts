import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { IMAGE_MODERATION_WEIGHTS } from '../../models/weights/image-moderation.ts';
import { weightFileName } from '../../models/weights/weight-card.ts';
import { type KerasManifest, type KerasModel, kerasModel } from './keras-model.ts';
import { kerasToOnnx } from './keras-to-onnx.ts';

const CARD = IMAGE_MODERATION_WEIGHTS['nsfw-mobilenet'];

/**
 * Writes the graphs of models that come in a package, in another format: into `models/weights`, beside those that the
 * project trained. A complete file stays as it is.
 */
export async function writeBundledGraphs(root: string): Promise<void> {
  const path = join(root, 'models/weights', weightFileName(CARD));
  const known = await stat(path).catch(() => null);
  if (known?.size === CARD.bytes) return;
  const partial = `${path}.${process.pid}.part`;
  await writeFile(partial, await nsfwGraph());
  await rename(partial, path);
}

/** Converts the network of the package `nsfwjs`. The same package gives the same bytes. */
export async function nsfwGraph(): Promise<Uint8Array<ArrayBuffer>> {
  return kerasToOnnx(await readNsfwModel(), { input: 'image', output: 'probabilities' });
}

async function readNsfwModel(): Promise<KerasModel> {
  const entry = createRequire(import.meta.url).resolve('nsfwjs');
  const folder = join(entry, '../../models/mobilenet_v2');
  const manifest = await readExport(join(folder, 'model.min.js'));
  const weights = await readExport(join(folder, 'group1-shard1of1.min.js'));
  return kerasModel(manifest as KerasManifest, Buffer.from(String(weights), 'base64'));
}

/** Returns the value that a CommonJS module of data exports. */
async function readExport(path: string): Promise<unknown> {
  const module = { exports: {} as unknown };
  runInNewContext(await readFile(path, 'utf8'), { module, exports: module.exports });
  return module.exports;
}
