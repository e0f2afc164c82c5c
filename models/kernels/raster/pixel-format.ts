import type { Frame, PixelRegion, Raster, Raster8, Rgb } from '../../core/runtime/raster.ts';

/** Returns the upper 8 bits of each sample; an 8-bit raster comes back unchanged. */
export function toEightBits<Kind extends Raster | Frame>(raster: Kind): Kind & Raster8 {
  const { data } = raster;
  const samples = data instanceof Uint16Array ? Uint8Array.from(data, (sample) => sample >> 8) : data;
  return { ...raster, data: samples };
}

/** Reports whether all pixels are opaque, in a raster or in a region within it. */
export function isOpaque(
  raster: Raster,
  { left, top, width, height }: PixelRegion = { left: 0, top: 0, ...raster },
): boolean {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  for (let y = top; y < top + height; y++) {
    const start = (y * raster.width + left) * 4 + 3;
    for (let at = start; at < start + width * 4; at += 4) if (data[at] !== most) return false;
  }
  return true;
}

/** Reports whether red, green and blue are equal in all pixels. */
export function isGrey({ data }: Raster): boolean {
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false;
  }
  return true;
}

/** Copies grey levels into the alpha of a raster of the same size. */
export function copyAlpha({ data: levels }: Raster, { data }: Raster): void {
  for (let at = 0; at < data.length; at += 4) data[at + 3] = levels[at];
}

/** Gives each pixel the mean of its red, green and blue, in place. */
export function makeGrey({ data }: Raster): void {
  for (let at = 0; at < data.length; at += 4) {
    const sum = data[at] + data[at + 1] + data[at + 2];
    data.fill(Math.round(sum / 3), at, at + 3);
  }
}

/** Composites straight alpha over a colour, blended in the samples' own encoding, in whole steps as libvips does. */
export function flatten(raster: Raster8, background: Rgb): Raster8;
export function flatten(raster: Raster, background: Rgb): Raster;
export function flatten({ width, height, data }: Raster, background: Rgb): Raster {
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const flat = data.slice();
  for (let at = 0; at < flat.length; at += 4) {
    const alpha = data[at + 3];
    if (alpha === most) continue;
    for (let channel = 0; channel < 3; channel++) {
      const backdrop = ((background[channel] * most) / 255) * (most - alpha);
      flat[at + channel] = (data[at + channel] * alpha + backdrop) / most;
    }
    flat[at + 3] = most;
  }
  return { width, height, data: flat };
}

/** Divides the colours of a raster by alpha, in place: makes premultiplied alpha straight. */
export function divideByAlpha({ data }: Pick<Raster, 'data'>): void {
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3];
    if (alpha === 0 || alpha === most) continue;
    for (let place = at; place < at + 3; place++)
      data[place] = Math.min(most, Math.round((data[place] * most) / alpha));
  }
}
