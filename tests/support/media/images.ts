import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import type { RunResult } from '../../../models/core/operation/run-result.ts';
import type { Picture } from '../../../models/core/runtime/image-codec.ts';
import type { Frame, Raster } from '../../../models/core/runtime/raster.ts';
import { mediaConvertImage } from '../../../models/operations/convert/operation.ts';
import { createNodeRuntime } from '../../../server/runtime/node-runtime.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/images');

export function imageFixture(name: string): Promise<Blob> {
  return openAsBlob(resolve(FIXTURES, name));
}

/** Runs the operation as a job does: probe, then execute. */
export async function convert(input: Blob, params: object): Promise<RunResult> {
  await mediaConvertImage.quote(input, params);
  return mediaConvertImage.execute(
    input,
    params,
    createNodeRuntime({ signal: new AbortController().signal }),
  );
}

/** Returns the one file of a conversion. */
export async function convertToBlob(input: Blob, params: object): Promise<Blob> {
  const { files } = await convert(input, params);
  const [file] = files;
  if (!file || files.length > 1) throw new Error(`expected one file, got ${files.length}`);
  return file.blob;
}

export async function decodeImage(input: Blob, colour: 'srgb' | 'own' = 'srgb'): Promise<Picture> {
  const { images, signal } = createNodeRuntime({ signal: new AbortController().signal });
  return images.decode(input, { frames: 'all', colour, signal });
}

export async function decodeFrames(input: Blob): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of (await decodeImage(input)).frames()) frames.push(frame);
  return frames;
}

export async function decodeFirstFrame(input: Blob): Promise<Frame> {
  const [frame] = await decodeFrames(input);
  if (!frame) throw new Error('no frames');
  return frame;
}

/**
 * Computes the peak signal-to-noise ratio in dB, from 8 or 16-bit rasters. Colours are weighted by alpha: invisible
 * pixels do not count.
 */
export function psnr(left: Raster, right: Raster): number {
  if (left.width !== right.width || left.height !== right.height) return 0;
  const [one, other] = [left, right].map(({ data }) => {
    const most = data instanceof Uint16Array ? 0xffff : 0xff;
    return (at: number) => (data[at] as number) / most;
  }) as [(at: number) => number, (at: number) => number];
  let sum = 0;
  for (let at = 0; at < left.data.length; at++) {
    const weight = at % 4 === 3 ? 1 : one(at - (at % 4) + 3);
    sum += ((one(at) - other(at)) * weight) ** 2;
  }
  return -10 * Math.log10(Math.max(1e-10, sum / left.data.length));
}
