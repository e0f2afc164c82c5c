import type { Rgb } from '../image-codec.ts';
import type { Raster } from '../raster.ts';

/** Puts a colour behind a raster, so that it is opaque. Straight alpha, blended in the samples' own encoding. */
export function flatten(raster: Raster, background: Rgb): Raster {
  const { data } = raster;
  const most = data instanceof Uint16Array ? 0xffff : 0xff;
  const flat = data.slice();
  for (let at = 0; at < flat.length; at += 4) {
    const alpha = (data[at + 3] as number) / most;
    if (alpha === 1) continue;
    for (let channel = 0; channel < 3; channel++) {
      const behind = ((background[channel] as number) * most) / 255;
      flat[at + channel] = Math.round((data[at + channel] as number) * alpha + behind * (1 - alpha));
    }
    flat[at + 3] = most;
  }
  return { ...raster, data: flat };
}
