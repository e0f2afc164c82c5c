import { existsSync, openAsBlob, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { OperationError } from '../../models/core/operation/errors.ts';
import type { RunResult } from '../../models/core/operation/run-result.ts';
import type { Picture } from '../../models/core/runtime/image-codec.ts';
import type { Frame } from '../../models/core/runtime/raster.ts';
import { mediaConvertImage } from '../../models/operations/convert/operation.ts';
import { createNodeRuntime } from '../../server/runtime/node-runtime.ts';
import type { PageRun, WorkerPage } from '../support/worker-page.ts';

/** Result of one file in a format on both sides: the same bytes, alike within the tolerances, or why they differ. */
export interface Parity {
  readonly path: string;
  readonly format: string;
  readonly verdict: 'same' | 'alike' | 'refused' | 'differs';
  readonly why: string;
}

/** Folders of the shared data whose pictures both sides must read alike. */
export const PARITY_FOLDERS = ['data/convert', 'cases/images', 'cases/round4/images'];

const PICTURES = /\.(jpe?g|mpo|png|webp|gif|tiff?|bmp|avif|hei[cf])$/i;

/** Levels of 255 by which samples of a format without loss may differ. */
const LEVELS_MAX = 1;

/** Formats with loss, whose files may differ by so much. */
const LOSSY = { formats: new Set(['jpg', 'webp', 'avif', 'gif', 'heic']), bytesShare: 0.03, meanLevels: 2 };

/** Lists the pictures of folders within `root`, by paths from there. */
export function listPictures(root: string, folders = PARITY_FOLDERS): string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => PICTURES.test(name))
        .map((name) => join(folder, name)),
    )
    .toSorted();
}

/**
 * Converts a file in a browser and by the server's own runtime, and compares all that a caller gets: the outcome, the
 * warnings, and, as the server reads them, frames, samples and metadata.
 */
export async function compareSides(
  page: WorkerPage,
  root: string,
  path: string,
  format: string,
): Promise<Parity> {
  const input = await openAsBlob(join(root, path));
  const params = { to_format: format, keep_metadata: true };
  const [onServer, onDevice] = [await convertOnServer(input, params), await page.convert(input, params)];
  const found = (verdict: Parity['verdict'], why = ''): Parity => ({ path, format, verdict, why });
  if (onServer instanceof OperationError) {
    if (!onDevice.ok && onDevice.code === onServer.code) return found('refused', onServer.message);
    return found('differs', `the server says "${onServer.message}", the device ${describe(onDevice)}`);
  }
  if (!onDevice.ok) return found('differs', `only the device says "${onDevice.message}"`);
  const warnings = [onServer.warnings, onDevice.warnings].map((each) => JSON.stringify(each));
  if (warnings[0] !== warnings[1]) return found('differs', `warnings: ${warnings.join(' and ')}`);
  const [server, device] = [onServer.files[0].blob, new Blob([onDevice.bytes])];
  if (Buffer.from(await server.arrayBuffer()).equals(onDevice.bytes)) return found('same');
  const why = await compareFiles(server, device, format);
  return why ? found('differs', why) : found('alike');
}

function describe(run: PageRun): string {
  return run.ok ? 'converts it' : `"${run.message}"`;
}

async function convertOnServer(input: Blob, params: object): Promise<RunResult | OperationError> {
  try {
    await mediaConvertImage.quote(input, params);
    const { signal } = new AbortController();
    return await mediaConvertImage.execute(input, params, createNodeRuntime({ signal }));
  } catch (thrown) {
    if (thrown instanceof OperationError) return thrown;
    throw thrown;
  }
}

/** Returns how two files differ beyond the tolerances; null when they do not. */
async function compareFiles(server: Blob, device: Blob, format: string): Promise<string | null> {
  const [one, other] = [await read(server), await read(device)];
  const facts = [one, other].map(({ picture }) => {
    const { width, height, frameCount, loopCount, bitDepth, metadata } = picture;
    return JSON.stringify({ width, height, frameCount, loopCount, bitDepth, metadata });
  });
  if (facts[0] !== facts[1]) return facts.map((fact) => fact.slice(0, 120)).join(' and ');
  const { furthest, mean, delays } = compareFrames(one.frames, other.frames);
  if (delays) return 'delays of frames';
  if (!LOSSY.formats.has(format)) return furthest > LEVELS_MAX ? `samples by up to ${furthest} levels` : null;
  const grown = device.size / server.size - 1;
  if (Math.abs(grown) > LOSSY.bytesShare && Math.abs(device.size - server.size) > 64)
    return `bytes by ${(grown * 100).toFixed(1)} %`;
  return mean > LOSSY.meanLevels ? `samples by ${mean.toFixed(1)} levels on average` : null;
}

async function read(file: Blob): Promise<{ picture: Picture; frames: Frame[] }> {
  const { signal } = new AbortController();
  const { images } = createNodeRuntime({ signal });
  const picture = await images.decode(file, { frames: 'all', colour: 'own', signal });
  const frames: Frame[] = [];
  for await (const frame of picture.frames()) frames.push(frame);
  return { picture, frames };
}

function compareFrames(ones: readonly Frame[], others: readonly Frame[]) {
  let [furthest, sum, count, delays] = [0, 0, 0, false];
  ones.forEach(({ data, durationMs }, index) => {
    const other = others[index];
    if (!other) return;
    delays ||= other.durationMs !== durationMs;
    const unit = data instanceof Uint16Array ? 257 : 1;
    for (let at = 0; at < data.length; at++) {
      const alphaAt = at - (at % 4) + 3;
      // Colours without opacity do not count.
      if (at !== alphaAt && data[alphaAt] === 0 && other.data[alphaAt] === 0) continue;
      const gap = Math.abs((data[at] ?? 0) - (other.data[at] ?? 0)) / unit;
      furthest = Math.max(furthest, gap);
      sum += gap;
      count += 1;
    }
  });
  return { furthest, mean: sum / Math.max(1, count), delays };
}
