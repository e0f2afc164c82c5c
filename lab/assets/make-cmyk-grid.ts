import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import sharp from 'sharp';
import { uncompressedTiff } from '../../models/media/image/tiff/uncompressed-tiff.ts';

/** Nodes per ink: 9 reach 45 dB against the profile on random inks, 7 reach 42, 6 reach 40. */
const NODES = 9;
const TARGET = resolve(import.meta.dirname, '../../workers/runtime/image-codec/cmyk-grid.ts');

const TIFF_SEPARATED = 5;
const PHOTOMETRIC_TAG = 262;
const EXTRA_SAMPLES_TAG = 338;

/**
 * Writes workers/runtime/image-codec/cmyk-grid.ts: libvips' own CMYK profile ("Chemical proof", public domain), which
 * the server applies to files without one, sampled at even distances, so that a browser shows the same colours.
 */
async function main(): Promise<void> {
  const { file, samples } = uncompressedTiff({
    width: NODES ** 2,
    height: NODES ** 2,
    channels: 4,
    bitsPerSample: 8,
  });
  for (let node = 0; node < NODES ** 4; node++) {
    for (let ink = 0; ink < 4; ink++) {
      const position = Math.floor(node / NODES ** (3 - ink)) % NODES;
      samples[4 * node + ink] = Math.round((255 * position) / (NODES - 1));
    }
  }
  const colours = await sharp(separated(file)).toColourspace('srgb').raw().toBuffer();
  await writeFile(
    TARGET,
    `import type { CmykGrid } from '../../../models/media/image/icc/cmyk-to-srgb.ts';

/**
 * sRGB at ${NODES} amounts of each ink. Sampled by \`npx tsx lab/assets/make-cmyk-grid.ts\` from libvips' profile
 * for CMYK files without one ("Chemical proof" by Graeme W. Gill, public domain).
 */
const COLOURS =
  '${colours.toString('base64')}';

export function cmykGrid(): CmykGrid {
  return { nodes: ${NODES}, colours: Uint8Array.from(atob(COLOURS), (byte) => byte.charCodeAt(0)) };
}
`,
  );
}

/** Returns the same file with four inks in place of red, green, blue and alpha. */
function separated(file: Uint8Array): Buffer {
  const tiff = Buffer.from(file);
  const directory = tiff.readUInt32LE(4);
  for (let entry = 0; entry < tiff.readUInt16LE(directory); entry++) {
    const at = directory + 2 + 12 * entry;
    const tag = tiff.readUInt16LE(at);
    if (tag === PHOTOMETRIC_TAG) tiff.writeUInt16LE(TIFF_SEPARATED, at + 8);
    // InkSet, 1 for CMYK, in place of what the fourth sample would be.
    if (tag === EXTRA_SAMPLES_TAG) {
      tiff.writeUInt16LE(332, at);
      tiff.writeUInt16LE(1, at + 8);
    }
  }
  return tiff;
}

await main();
