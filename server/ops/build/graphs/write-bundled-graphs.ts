import { createHash, randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { type WeightCard, weightFileName } from '../../../../models/core/runtime/weight-card.ts';
import { REMOVE_BG_WEIGHTS } from '../../../../models/matting/weights.ts';
import { IMAGE_MODERATION_WEIGHTS } from '../../../../models/moderation/weights.ts';
import { AUDIO_DIARIZE_WEIGHTS } from '../../../../models/operations/diarize/weights.ts';
import {
  assembleKerasModel,
  convertKerasFeatures,
  convertKerasToOnnx,
  type KerasManifest,
  type KerasModel,
} from './keras-to-onnx.ts';
import { joinOnnxModels } from './onnx.ts';
import { convertTfliteToOnnx, readTfliteModel } from './tflite-to-onnx.ts';

/** Graph that a build writes. */
interface BundledGraph {
  readonly card: WeightCard;
  /** Makes the bytes of the file. */
  read(): Promise<Uint8Array>;
}

const GRAPHS: readonly BundledGraph[] = [
  { card: IMAGE_MODERATION_WEIGHTS['nsfw-mobilenet'], read: convertNsfwModel },
  { card: AUDIO_DIARIZE_WEIGHTS['silero-vad'], read: readSileroVad },
  { card: REMOVE_BG_WEIGHTS.matte, read: joinMatte },
];
/** Our part of the background remover, which takes the image and what networks of packages compute from it. */
const OWN_MATTE = new URL('../../../../models/weights/own-matte.onnx', import.meta.url);

/**
 * Writes the graphs of models that come in packages, converted where they have another format and joined with our own
 * part where they have one: into `models/weights`, next to those that the project trained. A file with the card's
 * SHA-256 stays as it is. Several processes may do it at once.
 * @param root folder of the checkout
 * @throws Error when the packages, or our own part, give a file with another SHA-256 than the card's
 */
export async function writeBundledGraphs(root: string, graphs = GRAPHS): Promise<void> {
  for (const { card, read } of graphs) {
    const path = join(root, 'models/weights', weightFileName(card));
    const known = await readFile(path).catch(() => null);
    if (known && getSha256(known) === card.sha256) continue;
    const graph = await read();
    if (getSha256(graph) !== card.sha256)
      throw new Error(
        `${card.id}: what its packages and our own part give is not the file that its card pins.`,
      );
    await replaceFile(path, graph);
  }
}

/** Writes a file in one step: others may read it, or write it at the same time. */
async function replaceFile(path: string, content: Uint8Array): Promise<void> {
  // Two containers on one folder can have the same process id.
  const partial = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(partial, content);
    await rename(partial, path);
  } finally {
    await rm(partial, { force: true });
  }
}

function getSha256(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}

/**
 * Joins the selfie segmentation of MediaPipe and the features of nsfwjs' network with our own part to the background
 * remover `matte`. The same files give the same bytes.
 */
export async function joinMatte(): Promise<Uint8Array<ArrayBuffer>> {
  const [selfie, things, own] = await Promise.all([
    convertSelfieModel(),
    convertThingsModel(),
    readFile(OWN_MATTE),
  ]);
  return joinOnnxModels(selfie, joinOnnxModels(things, own));
}

/**
 * Converts the layers of nsfwjs' MobileNetV2 that tell things apart: its input `image` has any size; it gives 96
 * features as `things` and 160 as `kinds`, in a row and column for each 16 and 32 of `side`.
 */
export async function convertThingsModel(side = 256): Promise<Uint8Array<ArrayBuffer>> {
  return convertKerasFeatures(await readNsfwModel(), {
    input: 'image',
    side,
    outputs: { block_12_add: 'things', block_15_add: 'kinds' },
    prefix: 'things/',
  });
}

/**
 * Converts the network of the package `@mediapipe/selfie_segmentation`. Its input `image` has any size; it gives the
 * opacity of people in 256 rows and columns as `people`, and its 128 deepest features as `people_features`.
 */
export async function convertSelfieModel(): Promise<Uint8Array<ArrayBuffer>> {
  const entry = createRequire(import.meta.url).resolve('@mediapipe/selfie_segmentation');
  const file = await readFile(join(entry, '../selfie_segmentation.tflite'));
  return convertTfliteToOnnx(readTfliteModel(file), {
    input: 'image',
    outputs: { activation_10: 'people', multiply_6: 'people_features' },
    prefix: 'selfie/',
  });
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
  const module: { exports: unknown } = { exports: {} };
  runInNewContext(await readFile(path, 'utf8'), { module, exports: module.exports });
  return module.exports;
}
