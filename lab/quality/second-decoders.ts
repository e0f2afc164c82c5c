import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { ImageSize, Raster8 } from '../../models/core/runtime/raster.ts';
import { srgbProfile } from '../../models/media/image/metadata/write-profile.ts';

const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 800_000_000;
const TIMEOUT_MS = 60_000;

/** Decoder of another project, as Debian packages it: it gives the first frame as sRGB of 8 bits. */
export interface SecondDecoder {
  readonly name: 'ImageMagick' | 'libheif' | 'ffmpeg';
  /** Rejects what it cannot read. */
  decode(path: string, size: ImageSize, scratch: string): Promise<Raster8>;
}

async function getOutput(command: string, parameters: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const options = { encoding: 'buffer', maxBuffer: OUTPUT_BYTES_MAX, timeout: TIMEOUT_MS } as const;
  const { stdout } = await run(command, parameters, options);
  return new Uint8Array(stdout);
}

function getRaster(data: Uint8Array<ArrayBuffer>, { width, height }: ImageSize): Raster8 {
  if (data.length !== width * height * 4) throw new Error('another size');
  return { width, height, data };
}

/** ImageMagick, with the profile of the file applied. */
const imageMagick: SecondDecoder = {
  name: 'ImageMagick',
  async decode(path, size, scratch) {
    const profile = join(scratch, 'srgb.icc');
    await writeFile(profile, srgbProfile());
    const first = `${path}[0]`;
    const found = await getOutput('identify', ['-format', '%[profile:icc]', first]).catch(
      () => new Uint8Array(),
    );
    const colours = found.length > 0 ? ['-profile', profile] : ['-colorspace', 'sRGB'];
    const pixels = ['-auto-orient', ...colours, '-depth', '8', 'rgba:-'];
    return getRaster(await getOutput('convert', [first, ...pixels]), size);
  },
};

/** libheif's own program; sharp applies the profile that it passes on. */
const libheif: SecondDecoder = {
  name: 'libheif',
  async decode(path, size, scratch) {
    const png = join(scratch, 'second.png');
    await run('heif-convert', [path, png], { timeout: TIMEOUT_MS });
    const { data } = await sharp(await readFile(png))
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return getRaster(new Uint8Array(data), size);
  },
};

/** ffmpeg, which knows no profiles and no orientation of images. */
const ffmpeg: SecondDecoder = {
  name: 'ffmpeg',
  async decode(path, size) {
    const pixels = ['-frames:v', '1', '-pix_fmt', 'rgba', '-f', 'rawvideo', '-'];
    return getRaster(await getOutput('ffmpeg', ['-v', 'error', '-i', path, ...pixels]), size);
  },
};

/** Returns the decoders of a kind of file, the most faithful first. */
export function secondDecodersFor(path: string): readonly SecondDecoder[] {
  return /\.(avif|hei[cf])$/i.test(path) ? [libheif, ffmpeg] : [imageMagick, ffmpeg];
}
