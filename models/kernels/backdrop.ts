import type { Raster } from '../raster.ts';
import type { Rgba } from './css/colour.ts';
import { between, LineSampler } from './line-sampler.ts';
import { fitWithin, resizeColours } from './resize.ts';

/** What stands behind a cutout, made row by row. */
export interface Backdrop {
  /** Writes row `y`: red, green, blue, alpha for each place, 0 to 1, not multiplied by alpha. */
  paint(y: number, row: Float32Array): void;
}

export function solidBackdrop([red, green, blue, alpha]: Rgba): Backdrop {
  return {
    paint(_y, row) {
      for (let at = 0; at < row.length; at += 4) {
        row[at] = red;
        row[at + 1] = green;
        row[at + 2] = blue;
        row[at + 3] = alpha;
      }
    },
  };
}

/** What is held of a backdrop picture; beyond it, it is enlarged smoothly. */
const SIDE_MAX = 4096;

/** The middle of a picture, scaled so that it covers all of `width` x `height`. What is transparent in it is white. */
export function imageBackdrop(picture: Raster, width: number, height: number): Backdrop {
  const scale = Math.max(width / picture.width, height / picture.height);
  const scaled = {
    width: Math.max(width, Math.round(picture.width * scale)),
    height: Math.max(height, Math.round(picture.height * scale)),
  };
  const held = fitWithin(scaled, SIDE_MAX);
  const image = resizeColours(picture, held.width, held.height);
  const left = Math.floor((scaled.width - width) / 2);
  const top = Math.floor((scaled.height - height) / 2);
  return sampledBackdrop(new LineSampler(image, scaled.width, scaled.height), { left, top, width });
}

/** A small picture of the same shape, enlarged line by line: smooth enough where it has no edges. */
export function softBackdrop(picture: Raster, width: number, height: number): Backdrop {
  const image = resizeColours(picture, picture.width, picture.height);
  return sampledBackdrop(new LineSampler(image, width, height), { left: 0, top: 0, width });
}

/** What a sampler of three channels shows through a window. */
function sampledBackdrop(
  sampler: LineSampler,
  { left, top, width }: { readonly left: number; readonly top: number; readonly width: number },
): Backdrop {
  return {
    paint(y, row) {
      sampler.seek(top + y);
      const { line } = sampler;
      for (let x = 0, at = 0; x < width; x++, at += 4) {
        const from = sampler.left[left + x] as number;
        const share = sampler.share[left + x] as number;
        row[at] = between(line, from, 3, share);
        row[at + 1] = between(line, from + 1, 3, share);
        row[at + 2] = between(line, from + 2, 3, share);
        row[at + 3] = 1;
      }
    },
  };
}
