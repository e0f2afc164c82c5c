import type { FloatImage, PixelRegion } from '../core/runtime/raster.ts';
import { cropImage } from '../kernels/raster/crop.ts';
import { resizeImage } from '../kernels/raster/resize.ts';
import { findSubjects } from '../kernels/raster/subjects.ts';

/**
 * Area as a share of the largest subject below which a component is as likely a mistake, and must not widen the
 * region.
 */
const SUBJECT_MIN = 0.1;
/** Margins around the subjects on each side: a share of theirs, and one of the image's. */
const MARGINS = { ofSubjects: 0.2, ofPicture: 0.02 };
/** Share of the image beyond which a region shows nothing new. */
const REGION_MAX = 0.9;
/** Longest side of the matte, however small its subject is. */
const SIDE_MAX = 1024;

/** Overlapping parts of an image in which a small subject is searched: where they start, and their share of each side. */
const PARTS = { starts: [0, 0.45], share: 0.55 };
/**
 * Largest share of the image of a subject that the first look misses, and least mean value of one that is sure. On twelve
 * small animals before landscapes that the first look misses, and on landscapes alone, what was right had 0.90 to 0.94, and
 * what was not, 0.53 to 0.84, or more than a tenth of the image.
 */
const SMALL = { areaMax: 0.05, sure: 0.88 };

/**
 * Lets a small model search an image part by part for a subject that is too small to be seen in the whole.
 * @param colours the image
 * @param first matte of the whole image, without any subject
 * @param look runs the model on a part of the image; returns its matte, at any size
 * @returns a matte with the small subjects that are sure; where there is none, the first one
 */
export async function searchSmallSubjects(
  colours: FloatImage,
  first: FloatImage,
  look: (part: FloatImage) => Promise<FloatImage>,
): Promise<FloatImage> {
  const [width, height] = [first.width, first.height].map((side) => Math.round(side / PARTS.share));
  const data = new Float32Array(width * height);
  for (const top of PARTS.starts) {
    for (const left of PARTS.starts) {
      const share = { left, top, width: PARTS.share, height: PARTS.share };
      const region = scaled(share, width, height);
      const part = await look(cropImage(colours, scaled(share, colours.width, colours.height)));
      const inside = resizeImage(part, region.width, region.height).data;
      inside.forEach((value, at) => {
        const place =
          (region.top + Math.floor(at / region.width)) * width + region.left + (at % region.width);
        data[place] = Math.max(data[place], value);
      });
    }
  }
  const areaMax = SMALL.areaMax * data.length;
  const matte = { width, height, channels: 1, data } as const;
  const sure = findSubjects(matte).keep((area, mean) => area <= areaMax && mean >= SMALL.sure);
  return findSubjects(sure).count > 0 ? sure : first;
}

/**
 * Lets a small model look a second time, at the subjects it found and their surroundings; where both looks overlap,
 * the matte is their mean. On the 68 images held out of our own model's training the mean IoU rose from 0.834 to
 * 0.850. As frames of a slowly moving camera, with grain, half of them also differ less from frame to frame: by 0.023
 * instead of 0.025 (mean IoU 0.838 instead of 0.829), though each frame has its own region; a region that
 * follows them slowly gave the same.
 * @param colours the image
 * @param first matte of the whole image: one channel, 0 to 1
 * @param look runs the model on a part of the image; returns its matte, at any size
 * @returns a matte over the whole image, finer than the first around the subject
 */
export async function refineWithCloseUps(
  colours: FloatImage,
  first: FloatImage,
  look: (part: FloatImage) => Promise<FloatImage>,
): Promise<FloatImage> {
  const region = regionAround(first, colours);
  if (!region) return first;
  const second = await look(cropImage(colours, region));
  const scale = Math.max(second.width / region.width, second.height / region.height);
  const finest = Math.min(scale, SIDE_MAX / Math.max(colours.width, colours.height));
  const width = Math.max(first.width, Math.round(colours.width * finest));
  const height = Math.max(first.height, Math.round(colours.height * finest));
  return join(
    resizeImage(first, width, height),
    second,
    scaled(region, width / colours.width, height / colours.height),
  );
}

/**
 * Scales a region. Edges are rounded, not lengths, so that a region within the image stays within it at every scale.
 */
function scaled({ left, top, width, height }: PixelRegion, across: number, down: number): PixelRegion {
  const [start, end] = [Math.round(left * across), Math.round((left + width) * across)];
  const [first, last] = [Math.round(top * down), Math.round((top + height) * down)];
  return { left: start, top: first, width: end - start, height: last - first };
}

/**
 * Returns the subjects and their surroundings, in image pixels.
 * @returns null where that is nearly the whole image
 */
function regionAround(matte: FloatImage, picture: FloatImage): PixelRegion | null {
  const box = findSubjects(matte).box(SUBJECT_MIN);
  if (!box) return null;
  const across = span(box.left, box.width, matte.width, picture.width);
  const down = span(box.top, box.height, matte.height, picture.height);
  const share = (across.length / picture.width) * (down.length / picture.height);
  if (share > REGION_MAX) return null;
  return { left: across.start, top: down.start, width: across.length, height: down.length };
}

/** Returns a stretch of a side of the matte, with its margins, on a side of the image. */
function span(start: number, length: number, of: number, side: number): { start: number; length: number } {
  const margin = MARGINS.ofSubjects * length + MARGINS.ofPicture * of;
  const from = Math.floor((Math.max(0, start - margin) / of) * side);
  const to = Math.ceil((Math.min(of, start + length + margin) / of) * side);
  return { start: from, length: to - from };
}

/** Averages both mattes within the region. */
function join(whole: FloatImage, part: FloatImage, { left, top, width, height }: PixelRegion): FloatImage {
  const inside = resizeImage(part, width, height).data;
  const data = whole.data.slice();
  for (let y = 0; y < height; y++) {
    const start = (top + y) * whole.width + left;
    for (let x = 0; x < width; x++) {
      data[start + x] = (data[start + x] + inside[y * width + x]) / 2;
    }
  }
  return { ...whole, data };
}
