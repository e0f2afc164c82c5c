import type { FloatImage, ImageSize, PixelRegion, Raster, Raster8 } from '../../core/runtime/raster.ts';

/** Scales a region; its pixels may then be partial. */
export function scaleRegion({ left, top, width, height }: PixelRegion, by: number): PixelRegion {
  return { left: left * by, top: top * by, width: width * by, height: height * by };
}

/** Grows a region by a border, clipped to the image. */
export function growRegion(
  { left, top, width, height }: PixelRegion,
  border: number,
  image: ImageSize,
): PixelRegion {
  const x = Math.max(0, left - border);
  const y = Math.max(0, top - border);
  return {
    left: x,
    top: y,
    width: Math.min(image.width, left + width + border) - x,
    height: Math.min(image.height, top + height + border) - y,
  };
}

/** Returns the smallest region with all pixels that `isIn` accepts, by their index; null when it accepts none. */
export function boundingBox(
  { width, height }: ImageSize,
  isIn: (pixel: number) => boolean,
): PixelRegion | null {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      if (!isIn(pixel)) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? null : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * Copies a region as 8-bit samples. Beyond the right or lower edge it repeats the last column and row.
 * @param channels `rgba`, or the alpha channel alone
 */
export function cropRaster(
  raster: Raster,
  region: PixelRegion,
  channels: 'rgba' | 'alpha',
): Uint8Array<ArrayBuffer> {
  const { data, width } = raster;
  const { left, top } = region;
  const step = channels === 'rgba' ? 4 : 1;
  const first = channels === 'rgba' ? 0 : 3;
  const shift = data instanceof Uint16Array ? 8 : 0;
  const cropped = new Uint8Array(region.width * region.height * step);
  const columns = Math.min(region.width, width - left);
  for (let y = 0; y < region.height; y++) {
    const row = Math.min(top + y, raster.height - 1) * width + left;
    let to = y * region.width * step;
    if (step === 4 && data instanceof Uint8Array) {
      cropped.set(data.subarray(row * 4, (row + columns) * 4), to);
      to += columns * 4;
    } else {
      const stride = 4 / step;
      const end = (row + columns) * 4;
      for (let from = row * 4 + first; from < end; from += stride) cropped[to++] = data[from] >> shift;
    }
    for (const end = (y + 1) * region.width * step; to < end; to++) cropped[to] = cropped[to - step];
  }
  return cropped;
}

/** Copies a region that lies within the raster, with samples of the same depth. */
export function extractRegion(raster: Raster8, region: PixelRegion): Raster8;
export function extractRegion(raster: Raster, region: PixelRegion): Raster;
export function extractRegion({ data, width }: Raster, region: PixelRegion): Raster {
  const rowSamples = region.width * 4;
  const size = rowSamples * region.height;
  const extracted = data instanceof Uint16Array ? new Uint16Array(size) : new Uint8Array(size);
  for (let y = 0; y < region.height; y++) {
    const from = ((region.top + y) * width + region.left) * 4;
    extracted.set(data.subarray(from, from + rowSamples), y * rowSamples);
  }
  return { width: region.width, height: region.height, data: extracted };
}

/** Copies a region that lies within an image. */
export function cropImage(image: FloatImage, { left, top, width, height }: PixelRegion): FloatImage {
  const { channels } = image;
  const data = new Float32Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * image.width + left) * channels;
    data.set(image.data.subarray(from, from + width * channels), y * width * channels);
  }
  return { width, height, channels, data };
}

/**
 * Copies part of a crop back into its image, in place.
 * @param from position of the crop in the image
 * @param region area to copy, within `from`
 */
export function pasteImage(into: FloatImage, crop: FloatImage, from: PixelRegion, region: PixelRegion): void {
  const { channels } = into;
  const length = region.width * channels;
  for (let y = 0; y < region.height; y++) {
    const start = ((region.top - from.top + y) * crop.width + region.left - from.left) * channels;
    const to = ((region.top + y) * into.width + region.left) * channels;
    into.data.set(crop.data.subarray(start, start + length), to);
  }
}

/** Copies a raster of the same depth into another one, in place. @param at position of its upper left corner */
export function pasteRaster(into: Raster, raster: Raster, at: Pick<PixelRegion, 'left' | 'top'>): void {
  const row = raster.width * 4;
  for (let y = 0; y < raster.height; y++) {
    const to = ((at.top + y) * into.width + at.left) * 4;
    into.data.set(raster.data.subarray(y * row, (y + 1) * row), to);
  }
}

/** Fills a region of samples of one channel, in place. @param width of the whole */
export function fillRegion(
  data: { fill(value: number, start: number, end: number): unknown },
  width: number,
  region: PixelRegion,
  value: number,
): void {
  for (let y = region.top; y < region.top + region.height; y++) {
    data.fill(value, y * width + region.left, y * width + region.left + region.width);
  }
}
