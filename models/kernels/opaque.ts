import type { Rgb } from '../image-codec.ts';
import type { Frame, Raster } from '../raster.ts';
import type { RgbSamples } from './bmp/write-bmp.ts';
import type { Region } from './crop-raster.ts';

/** A raster of 8-bit samples. */
export type Raster8 = Raster & { readonly data: Uint8Array<ArrayBuffer> };

/** The upper 8 bits of each sample; a raster that has no more comes back as it is. */
export function toEightBits<Kind extends Raster | Frame>(raster: Kind): Kind & Raster8 {
  const { data } = raster;
  const samples = data instanceof Uint16Array ? Uint8Array.from(data, (sample) => sample >> 8) : data;
  return { ...raster, data: samples };
}

/** Whether no pixel lets anything through, in all of a raster or in a region that lies within it. */
export function isOpaque(
  raster: Raster,
  { left, top, width, height }: Region = { left: 0, top: 0, ...raster },
): boolean {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  for (let y = top; y < top + height; y++) {
    const start = (y * raster.width + left) * 4 + 3;
    for (let at = start; at < start + width * 4; at += 4) if (data[at] !== most) return false;
  }
  return true;
}

/** Puts a colour behind straight alpha, blended in the samples' own encoding, in whole steps as libvips does it. */
export function flatten({ width, height, data }: Raster, background: Rgb): Raster {
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const flat = data.slice();
  for (let at = 0; at < flat.length; at += 4) {
    const alpha = data[at + 3] as number;
    if (alpha === most) continue;
    for (let channel = 0; channel < 3; channel++) {
      const behind = (((background[channel] as number) * most) / 255) * (most - alpha);
      flat[at + channel] = ((data[at + channel] as number) * alpha + behind) / most;
    }
    flat[at + 3] = most;
  }
  return { width, height, data: flat };
}

/** Leaves alpha out. */
export function withoutAlpha({ width, height, data }: Raster8): RgbSamples {
  const rgb = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    rgb[to] = data[from] as number;
    rgb[to + 1] = data[from + 1] as number;
    rgb[to + 2] = data[from + 2] as number;
  }
  return { width, height, data: rgb };
}
