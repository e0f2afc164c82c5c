import type { FloatImage, PixelRegion, Raster } from '../../../core/runtime/raster.ts';
import { resizeColours, resizeImage } from '../../../kernels/raster/resize.ts';
import { type Canvas, reduceCanvas } from './fill-level.ts';

/** Reason why a fill from the image itself is unlikely to convince. */
export type FillWeakness = 'subject' | 'structure' | 'margin';

export interface FillEstimate {
  /** Expected quality, 0 to 1. */
  readonly quality: number;
  /** Weakness that takes the most from it; null where each takes little. */
  readonly weakness: FillWeakness | null;
}

/** Quality below which a fill is likely to disappoint. */
export const FILL_QUALITY_LOW = 0.5;

/** Longest side at which borders are looked at, in pixels. */
const SIDE_MAX = 256;
/** Depth of the strip along a border, as a share of the shorter side. */
const DEPTH_SHARE = 0.05;
/**
 * Length of the two parts of a border that are compared, as a share of the longer side; the difference that is an edge.
 */
const EDGE = { step: 1 / 48, full: 0.25 };
/** Loss by each weakness, as the exponent of its measure. */
const LOSS = { subject: 1.6, structure: 5, margin: 1 };
/**
 * Share of that loss at the left and the right: horizons, shores and roofs go on along their rows better than trunks.
 */
const ROW_SHARE = 0.5;
/** Structure that grain and shading have as well. */
const STRUCTURE_MIN = 0.06;
/** Loss below which nothing is worth a word. */
const NOTABLE = 0.2;

/** Groups of neighbouring lines across a border whose tones are compared. */
const GROUPS = 8;
/** Difference of tones, of 255, that every fill has, and a further one that leaves 1/e of the quality. */
const TONE = { usual: 25, loss: 25 };
/** Share of the detail next to it that a convincing fill has at least. */
const DETAIL_MIN = 0.5;
/** Likeness below which a fill shows as one. */
const UNLIKE = 0.7;

interface Measures extends Record<FillWeakness, number> {
  /** Added pixels beyond this side. */
  readonly area: number;
}

/**
 * Estimates before a run how well the kept pixels will continue beyond the borders: what is even or fine-grained
 * continues well, lines, shapes and subjects that a border cuts do not, and the farther the worse.
 * @param image the kept pixels
 * @param canvas of the same scale
 * @param subject one channel, 0 to 1, over the kept pixels, at any size; absent when no model looked for one
 */
export function estimateFill(image: Raster, canvas: Canvas, subject?: FloatImage): FillEstimate {
  const { width, height } = image;
  const scale = Math.min(1, SIDE_MAX / Math.max(width, height));
  const size = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))] as const;
  const colours = resizeColours(image, ...size);
  const mask = subject && resizeImage(subject, ...size);
  const sides = measureSides(colours, canvas, mask).filter(({ area }) => area > 0);
  const total = sides.reduce((sum, { area }) => sum + area, 0);
  if (total === 0) return { quality: 1, weakness: null };
  const losses = (['subject', 'structure', 'margin'] as const).map((weakness) => {
    const mean = sides.reduce((sum, side) => sum + side[weakness] * side.area, 0) / total;
    return { weakness, loss: LOSS[weakness] * mean };
  });
  const [worst] = losses.toSorted((one, other) => other.loss - one.loss);
  return {
    quality: Math.exp(-losses.reduce((sum, { loss }) => sum + loss, 0)),
    weakness: worst && worst.loss >= NOTABLE ? worst.weakness : null,
  };
}

/**
 * Lowers an estimate where the fill turned out unlike what it continues: another tone, as of a fence that ends in a dark
 * area, or hardly any detail.
 * @param raster the whole canvas, filled
 */
export function judgeFill(estimate: FillEstimate, raster: Raster, canvas: Canvas): FillEstimate {
  const scale = Math.min(1, SIDE_MAX / Math.max(canvas.width, canvas.height));
  const { width, height, kept } = reduceCanvas(canvas, 1 / scale);
  const colours = resizeColours(raster, width, height);
  const sides = [
    { isColumn: true, border: kept.left, added: kept.left, outward: -1 },
    { isColumn: true, border: kept.left + kept.width, added: width - kept.left - kept.width, outward: 1 },
    { isColumn: false, border: kept.top, added: kept.top, outward: -1 },
    { isColumn: false, border: kept.top + kept.height, added: height - kept.top - kept.height, outward: 1 },
  ];
  let [likeness, total] = [0, 0];
  for (const { isColumn, border, added, outward } of sides) {
    const depth = Math.min(added, isColumn ? kept.width : kept.height);
    if (depth < 2) continue;
    const [from, length] = isColumn ? [kept.top, kept.height] : [kept.left, kept.width];
    const getBand = (start: number, along: number, size: number): PixelRegion =>
      isColumn
        ? { left: start, top: along, width: depth, height: size }
        : { left: along, top: start, width: size, height: depth };
    const [outer, inner] = outward < 0 ? [border - depth, border] : [border, border - depth];
    let difference = 0;
    for (let group = 0; group < GROUPS; group++) {
      const along = from + Math.floor((group * length) / GROUPS);
      const size = Math.max(1, from + Math.floor(((group + 1) * length) / GROUPS) - along);
      const one = getMeans(colours, getBand(outer, along, size));
      const other = getMeans(colours, getBand(inner, along, size));
      for (let channel = 0; channel < 3; channel++) {
        difference += (255 * Math.abs(one[channel] - other[channel])) / (3 * GROUPS);
      }
    }
    const detail = getDetail(colours, getBand(outer, from, length));
    const expected = getDetail(colours, getBand(inner, from, length));
    const lost = expected > 0 ? Math.min(1, detail / (DETAIL_MIN * expected)) : 1;
    const area = added * length;
    likeness += area * lost * Math.exp(-Math.max(0, difference - TONE.usual) / TONE.loss);
    total += area;
  }
  if (total === 0) return estimate;
  const share = likeness / total;
  const weakness = share < UNLIKE ? 'structure' : estimate.weakness;
  return { quality: estimate.quality * share, weakness };
}

/** Returns the mean difference of neighbouring pixels' greens. */
function getDetail({ width, data }: FloatImage, region: PixelRegion): number {
  let [sum, count] = [0, 0];
  for (let y = region.top; y < region.top + region.height; y++) {
    for (let x = region.left; x < region.left + region.width; x++) {
      const green = data[(y * width + x) * 3 + 1];
      if (x + 1 < region.left + region.width) {
        sum += Math.abs(green - data[(y * width + x + 1) * 3 + 1]);
        count++;
      }
      if (y + 1 < region.top + region.height) {
        sum += Math.abs(green - data[((y + 1) * width + x) * 3 + 1]);
        count++;
      }
    }
  }
  return sum / Math.max(1, count);
}

function measureSides(
  colours: FloatImage,
  { width, height, kept }: Canvas,
  mask: FloatImage | undefined,
): readonly Measures[] {
  const depth = Math.max(2, Math.round(DEPTH_SHARE * Math.min(colours.width, colours.height)));
  const across = Math.min(depth, colours.width);
  const down = Math.min(depth, colours.height);
  const measure = (strip: PixelRegion, isColumn: boolean, added: number): Measures => ({
    subject: mask ? getMeans(mask, strip)[0] : 0,
    structure: (isColumn ? ROW_SHARE : 1) * structureAlong(colours, strip, isColumn),
    margin: added / (isColumn ? kept.width : kept.height),
    area: added * (isColumn ? height : width),
  });
  const whole = { left: 0, top: 0, width: colours.width, height: colours.height };
  return [
    measure({ ...whole, width: across }, true, kept.left),
    measure({ ...whole, left: colours.width - across, width: across }, true, width - kept.left - kept.width),
    measure({ ...whole, height: down }, false, kept.top),
    measure({ ...whole, top: colours.height - down, height: down }, false, height - kept.top - kept.height),
  ];
}

/**
 * Measures how much a border cuts: the mean step of colour along it, 0 to 1, above that of grain. Colours are averaged
 * over the strip's depth first, in which fine grain vanishes and lines towards the border stay.
 */
function structureAlong(colours: FloatImage, strip: PixelRegion, isColumn: boolean): number {
  const length = isColumn ? strip.height : strip.width;
  const depth = isColumn ? strip.width : strip.height;
  const profile = new Float32Array(length * 3);
  for (let along = 0; along < length; along++) {
    for (let inward = 0; inward < depth; inward++) {
      const x = strip.left + (isColumn ? inward : along);
      const y = strip.top + (isColumn ? along : inward);
      const from = (y * colours.width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const at = along * 3 + channel;
        profile[at] = profile[at] + colours.data[from + channel] / depth;
      }
    }
  }
  const step = Math.max(2, Math.round(EDGE.step * Math.max(colours.width, colours.height)));
  let sum = 0;
  for (let middle = step; middle + step <= length; middle++) {
    let squares = 0;
    for (let channel = 0; channel < 3; channel++) {
      let jump = 0;
      for (let near = 0; near < step; near++) {
        const after = profile[(middle + near) * 3 + channel];
        jump += after - profile[(middle - 1 - near) * 3 + channel];
      }
      squares += (jump / step) ** 2;
    }
    sum += Math.min(1, Math.sqrt(squares / 3) / EDGE.full);
  }
  return Math.max(0, sum / Math.max(1, length - 2 * step + 1) - STRUCTURE_MIN);
}

/** Returns the mean of each channel over a region. */
function getMeans({ width, channels, data }: FloatImage, region: PixelRegion): Float64Array {
  const sums = new Float64Array(channels);
  for (let y = region.top; y < region.top + region.height; y++) {
    for (let x = region.left; x < region.left + region.width; x++) {
      for (let channel = 0; channel < channels; channel++) {
        sums[channel] = sums[channel] + data[(y * width + x) * channels + channel];
      }
    }
  }
  return sums.map((sum) => sum / (region.width * region.height));
}
