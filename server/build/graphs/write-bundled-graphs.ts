import { createHash } from 'node:crypto';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { AUDIO_DIARIZE_WEIGHTS } from '../../../models/audio-diarize/weights.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../../models/moderation/weights.ts';
import { type WeightCard, weightFileName } from '../../../models/runtime/weight-card.ts';
import { assembleKerasModel, type KerasManifest, type KerasModel } from './keras-model.ts';
import { convertKerasToOnnx } from './keras-to-onnx.ts';

interface BundledGraph {
  readonly card: WeightCard;
  read(): Promise<Uint8Array>;
}

const GRAPHS: readonly BundledGraph[] = [
  { card: IMAGE_MODERATION_WEIGHTS['nsfw-mobilenet'], read: convertNsfwModel },
  { card: AUDIO_DIARIZE_WEIGHTS['silero-vad'], read: readSileroVad },
];

/**
 * Writes the graphs of models that come in packages, converted where they have another format: into `models/weights`,
 * beside those that the project trained. A complete file stays as it is.
 * @throws Error when a package holds another file than its card pins
 */
export async function writeBundledGraphs(root: string): Promise<void> {
  for (const { card, read } of GRAPHS) {
    const path = join(root, 'models/weights', weightFileName(card));
    const known = await stat(path).catch(() => null);
    if (known?.size === card.bytes) continue;
    const graph = await read();
    const sha256 = createHash('sha256').update(graph).digest('hex');
    if (sha256 !== card.sha256)
      throw new Error(`${card.id}: the package holds another file than its card pins.`);
    const partial = `${path}.${process.pid}.part`;
    await writeFile(partial, graph);
    await rename(partial, path);
  }
}

/** Reads Silero VAD, which the package `@ricky0123/vad-web` ships as published. */
function readSileroVad(): Promise<Uint8Array> {
  const entry = createRequire(import.meta.url).resolve('@ricky0123/vad-web');
  return readFile(join(entry, '../silero_vad_v6.onnx'));
}

/** Converts the network of the package `nsfwjs`. The same package gives the same bytes. */
export async function convertNsfwModel(): Promise<Uint8Array<ArrayBuffer>> {
  return convertKerasToOnnx(await readNsfwModel(), { input: 'image', output: 'probabilities' });
}

async function readNsfwModel(): Promise<KerasModel> {
  const entry = createRequire(import.meta.url).resolve('nsfwjs');
  const folder = join(entry, '../../models/mobilenet_v2');
  const manifest = await readExport(join(folder, 'model.min.js'));
  const weights = await readExport(join(folder, 'group1-shard1of1.min.js'));
  return assembleKerasModel(manifest as KerasManifest, Buffer.from(String(weights), 'base64'));
}

/** Returns the value that a CommonJS module of data exports. */
async function readExport(path: string): Promise<unknown> {
  const module = { exports: {} as unknown };
  runInNewContext(await readFile(path, 'utf8'), { module, exports: module.exports });
  return module.exports;
}
