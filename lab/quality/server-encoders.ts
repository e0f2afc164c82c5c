import type { EncodeOptions } from '../../models/core/runtime/image-codec.ts';
import type { Raster8 } from '../../models/core/runtime/raster.ts';
import { firstFrame, getPicture } from '../../models/kernels/raster/picture.ts';
import { toEightBits } from '../../models/kernels/raster/pixel-format.ts';
import { planWriting } from '../../models/media/image/codec/plan-writing.ts';
import type { ScaledEncoder } from '../../models/media/image/codec/quality-tables.ts';
import type { ImageFormat } from '../../models/media/image/formats.ts';
import { encodeHeic } from '../../models/media/image/heif/encode-heic.ts';
import { createImageCodec } from '../../server/runtime/image-codec/index.ts';
import { encodeHevcStill } from '../../server/runtime/image-codec/libx265.ts';
import { sharpLibvips } from '../../server/runtime/image-codec/sharp-libvips.ts';

/** Encodes an opaque raster at an encoder's own setting. */
export type EncodeAt = (raster: Raster8, setting: number) => Promise<Blob>;

const { signal } = new AbortController();
const codec = createImageCodec();

/** The server's encoders, and our JPEG as `jpeg`. */
export const SERVER_ENCODERS: Readonly<Partial<Record<ScaledEncoder | 'jpeg', EncodeAt>>> = {
  jpeg: withSharp('jpeg'),
  'libvips-webp': withSharp('webp'),
  'libvips-avif': withSharp('avif'),
  'node-x265': async (raster, setting) =>
    new Blob(await encodeHeic(opaque(raster), getOptions('heic', 100), setting, encodeHevcStill)),
};

/** Writes a lossless file of a raster. */
export function encodePng(raster: Raster8): Promise<Blob> {
  return codec.encode(opaque(raster), getOptions('png', 100));
}

/** Decodes a file with the server's decoders, to sRGB. */
export async function decodeRaster(file: Blob): Promise<Raster8> {
  return toEightBits(await firstFrame(await codec.decode(file, { frames: 'first', colour: 'srgb', signal })));
}

function withSharp(format: 'jpeg' | 'webp' | 'avif'): EncodeAt {
  return async ({ width, height, data }, quality) => {
    const file = await sharpLibvips.render({
      source: { kind: 'samples', width, height, pageHeight: height, data },
      alpha: 'dropped',
      depth: 8,
      write: planWriting(format, { quality }),
    });
    return new Blob([file]);
  };
}

function opaque(raster: Raster8) {
  return getPicture({ ...raster, data: raster.data.slice() }, { hasAlpha: false, metadata: {} });
}

function getOptions(format: ImageFormat, quality: number): EncodeOptions {
  return { format, quality, background: [255, 255, 255], metadata: {}, signal };
}
