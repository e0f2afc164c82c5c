import { firstFrame, getPicture } from '../../../../models/kernels/raster/picture.ts';
import { toEightBits } from '../../../../models/kernels/raster/pixel-format.ts';
import type { FormatEngine } from '../../../../models/media/image/codec/image-engines.ts';

/** Fake engine that reads and writes toy files. */
export const toyEngine: FormatEngine = {
  open(file) {
    const [width = 0, height = 0] = file.subarray(4);
    return getPicture({ width, height, data: file.slice(6) }, { hasAlpha: true, metadata: {} });
  },
  async encode(picture) {
    const { width, height, data } = toEightBits(await firstFrame(picture));
    return [new TextEncoder().encode('TOY!'), Uint8Array.of(width, height), new Uint8Array(data)];
  },
};
