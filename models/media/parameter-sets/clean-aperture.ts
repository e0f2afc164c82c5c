import type { ImageSize, PixelRegion } from '../../core/runtime/raster.ts';

const CLAP_BYTES = 32;

/** Returns the part of a picture between four margins; all of it where they leave nothing. */
export function cropMargins(
  { width, height }: ImageSize,
  margins: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
): PixelRegion {
  const { left, top } = margins;
  const inner = { left, top, width: width - left - margins.right, height: height - top - margins.bottom };
  const isWithin =
    Object.values(margins).every((margin) => margin >= 0) && inner.width > 0 && inner.height > 0;
  return isWithin ? inner : { left: 0, top: 0, width, height };
}

/** Reads the clean aperture: a size, and the offset of its centre, as fractions (ISO 14496-12, 12.1.4). */
export function readAperture(clap: DataView | null, coded: ImageSize): PixelRegion {
  const whole = { left: 0, top: 0, ...coded };
  if (!clap || clap.byteLength < CLAP_BYTES) return whole;
  const [width = 0, height = 0, x = 0, y = 0] = [0, 8, 16, 24].map(
    (at) => clap.getInt32(at) / clap.getInt32(at + 4),
  );
  const left = Math.round((coded.width - width) / 2 + x);
  const top = Math.round((coded.height - height) / 2 + y);
  const right = coded.width - left - Math.round(width);
  const bottom = coded.height - top - Math.round(height);
  return [left, top, right, bottom].every(Number.isFinite)
    ? cropMargins(coded, { left, top, right, bottom })
    : whole;
}
