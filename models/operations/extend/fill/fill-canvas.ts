import type { ReportProgress } from '../../../core/runtime/progress.ts';
import type { FloatImage } from '../../../core/runtime/raster.ts';
import { boxMean } from '../../../kernels/raster/box-mean.ts';
import { pasteImage } from '../../../kernels/raster/crop.ts';
import { resizeImage } from '../../../kernels/raster/resize.ts';
import {
  type Canvas,
  clamp,
  type FillLevel,
  forEachPatch,
  forEachUnknownRun,
  type PatchField,
  reduceCanvas,
} from './fill-level.ts';
import { growColours } from './grow-colours.ts';
import { emptyField, PatchCost, searchPatches, voteColours } from './search-patches.ts';
import { expectedColours, getTone, spreadFromBorder } from './spread-from-border.ts';

/** Difference of two deviations, of 255, from which a smooth place and a rough one do not fade into each other. */
const LIKENESS = 15;

/** Longest side of the coarsest level, in pixels. */
const COARSEST_SIDE = 64;

/** Half the side of a patch, in pixels. */
const RADIUS = 3;

/** Reduction up to which a level only refines what the coarser ones found, and the distance of its random tries. */
const [FINE_FACTOR, FINE_REACH] = [1, 8];

/** Cost of a source that is used once more often than the average one. */
const CROWDING_COST = 100;

/** Cost of a source whose whole patch should not be repeated: more than that of most other ones. */
const AVOIDED_COST = 6000;

/** Detail, of 255, from which a source that is used too often shows: what is smooth may repeat. */
const CROWDING_DETAIL = 12;

/** Half the side of the neighbourhood in which uses are counted. */
const CROWDING_REACH = 3;

/** Reduction from which the tone is held near the expected one, and how much of its drift each pass takes back. */
const [HELD_FACTOR, HELD_SHARE] = [2, 0.6];

export interface FillOptions {
  /** Red, green and blue of the whole canvas, 0 to 255, roughly: the search starts from it at its own resolution. */
  readonly guide?: FloatImage | undefined;
  /**
   * One channel over the kept pixels, 0 to 1: what may only continue where it meets the border, and is not repeated
   * elsewhere.
   */
  readonly avoided?: FloatImage | undefined;
  /** Numbers from 0 to 1: others give another result. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: ReportProgress;
}

/**
 * Finds for each patch that touches an unknown pixel a known one that fits there, from coarse to fine.
 * @param resize returns red, green and blue, 0 to 255, of the kept pixels at a size
 * @returns the finest level and its sources
 */
export function fillCanvas(
  canvas: Canvas,
  resize: (size: { readonly width: number; readonly height: number }) => FloatImage,
  { guide, avoided, random, signal, onProgress }: FillOptions,
): { readonly level: FillLevel; readonly field: PatchField } {
  const known = resize(canvas.kept);
  const factors = getFactors(canvas, guide);
  const works = factors.map((factor) => passesAt(factor) / factor ** 2);
  const total = works.reduce((sum, work) => sum + work, 0);
  let level = levelAt(canvas, { known, avoided }, factors[0]);
  if (guide) copyUnknown(guide, level);
  else growColours(level, random);
  let field = emptyField(level);
  let done = 0;
  factors.forEach((factor, at) => {
    if (at > 0) {
      const finer = levelAt(canvas, { known, avoided }, factor);
      if (finer.radius === level.radius) field = moveField(field, level, finer);
      else field = emptyField(finer);
      copyUnknown({ ...level, channels: 3, data: level.colours }, finer);
      // Enlarged colours are blurred, and would be found in smooth patches only.
      if (finer.radius === level.radius) voteColours(finer, field);
      level = finer;
    }
    const cost = new PatchCost(level);
    const passes = passesAt(factor);
    // A guide knows better than the border what the canvas shows.
    const expected = !guide && factor >= HELD_FACTOR ? expectedColours(level) : null;
    // The first level knows of no sources yet.
    const reach = at === 0 || factor > FINE_FACTOR ? Number.POSITIVE_INFINITY : FINE_REACH;
    for (let pass = 0; pass < passes; pass++) {
      signal.throwIfAborted();
      for (const direction of [0, 1]) {
        searchPatches(level, field, { cost, random, pass: 2 * pass + direction, reach });
      }
      voteColours(level, field);
      if (expected) holdColours(level, expected);
      countUses(level, field, cost.crowding);
      onProgress({ fraction: (done + (works[at] * (pass + 1)) / passes) / total });
    }
    done += works[at];
  });
  return { level, field };
}

/** Lists the reductions of the levels, coarsest first; the last one is 1. */
function getFactors({ width, height }: Canvas, guide: FloatImage | undefined): readonly number[] {
  const coarsest = guide ? Math.max(guide.width, guide.height) : COARSEST_SIDE;
  const count = Math.max(0, Math.ceil(Math.log2(Math.max(width, height) / coarsest)));
  return Array.from({ length: count + 1 }, (_, at) => 2 ** (count - at));
}

/** Few: the finest level only follows what the coarser ones found, and more passes would favour what is smooth. */
function passesAt(factor: number): number {
  return factor <= FINE_FACTOR ? 1 : 3;
}

/** Returns the canvas at a resolution, without its unknown colours. */
function levelAt(
  canvas: Canvas,
  { known, avoided }: { readonly known: FloatImage; readonly avoided: FloatImage | undefined },
  factor: number,
): FillLevel {
  const { width, height, kept } = reduceCanvas(canvas, factor);
  const reduced = resizeImage(known, kept.width, kept.height);
  const colours = new Float32Array(width * height * 3);
  pasteImage({ width, height, channels: 3, data: colours }, reduced, kept, kept);
  const radius = Math.min(RADIUS, Math.floor((Math.min(kept.width, kept.height) - 1) / 2));
  const penalties = new Float32Array(width * height);
  if (avoided) {
    const means = boxMean(resizeImage(avoided, kept.width, kept.height), radius);
    const costs = { ...means, data: means.data.map((mean) => AVOIDED_COST * mean) };
    pasteImage({ width, height, channels: 1, data: penalties }, costs, kept, kept);
  }
  const detail = expectedDetail({ width, height, kept }, reduced, radius);
  return { width, height, kept, colours, penalties, detail, radius };
}

/** Gives the unknown pixels of a level the colours that they have in an image of the canvas. */
function copyUnknown(image: FloatImage, fine: FillLevel): void {
  const enlarged = resizeImage(image, fine.width, fine.height).data;
  forEachUnknownRun(fine, (y, from, to) => {
    const row = y * fine.width;
    fine.colours.set(enlarged.subarray((row + from) * 3, (row + to) * 3), (row + from) * 3);
  });
}

/**
 * Takes back a share of the drift of unknown colours from the expected tone, in place, so that patches of another tone
 * give way to fitting ones. Detail stays: without it, smooth patches would fit best.
 */
function holdColours(level: FillLevel, expected: FloatImage): void {
  const { width, height, colours } = level;
  const tone = getTone({ width, height, channels: 3, data: colours }).data;
  forEachUnknownRun(level, (y, from, to) => {
    for (let at = (y * width + from) * 3; at < (y * width + to) * 3; at++) {
      const drift = expected.data[at] - tone[at];
      colours[at] = colours[at] + HELD_SHARE * drift;
    }
  });
}

/** Moves sources to a finer level, with their costs: the same step from patch to source, as many times longer. */
function moveField({ sources, costs }: PatchField, coarse: FillLevel, fine: FillLevel): PatchField {
  const field = emptyField(fine);
  const { kept, radius } = fine;
  const scaleX = coarse.width / fine.width;
  const scaleY = coarse.height / fine.height;
  forEachPatch(fine, (x, y) => {
    const coarseX = clamp(Math.floor((x + 0.5) * scaleX), coarse.radius, coarse.width - 1 - coarse.radius);
    const coarseY = clamp(Math.floor((y + 0.5) * scaleY), coarse.radius, coarse.height - 1 - coarse.radius);
    const coarsePlace = coarseY * coarse.width + coarseX;
    const source = sources[coarsePlace];
    if (source < 0) return;
    const sourceX = source % coarse.width;
    const stepX = Math.round((sourceX - coarseX) / scaleX);
    const stepY = Math.round(((source - sourceX) / coarse.width - coarseY) / scaleY);
    const movedX = clamp(x + stepX, kept.left + radius, kept.left + kept.width - 1 - radius);
    const movedY = clamp(y + stepY, kept.top + radius, kept.top + kept.height - 1 - radius);
    field.sources[y * fine.width + x] = movedY * fine.width + movedX;
    field.costs[y * fine.width + x] = costs[coarsePlace];
  });
  return field;
}

/** Sets what each source costs for being used more often than the average one, so that none shows as a stamp. */
function countUses(level: FillLevel, { sources }: PatchField, crowding: Float32Array): void {
  const { width, height, kept, detail } = level;
  const uses = new Float32Array(width * height);
  let patches = 0;
  forEachPatch(level, (x, y) => {
    const source = sources[y * width + x];
    uses[source] = uses[source] + 1;
    patches++;
  });
  const average = Math.max(1, patches / (kept.width * kept.height));
  const around = boxMean({ width, height, channels: 1, data: uses }, CROWDING_REACH).data;
  for (let pixel = 0; pixel < around.length; pixel++) {
    const shown = Math.min(1, detail[pixel] / CROWDING_DETAIL);
    crowding[pixel] = CROWDING_COST * shown * Math.max(0, around[pixel] / average - 1);
  }
}

/**
 * Measures how much detail known pixels have around them, and how much unknown ones should have next to such a border.
 * @param known red, green and blue, 0 to 255, of the kept pixels
 * @param radius of the patches, in pixels
 * @returns standard deviation of luma in a patch, 0 to 128, for each pixel of the canvas
 */
export function expectedDetail(canvas: Canvas, known: FloatImage, radius: number): Float32Array<ArrayBuffer> {
  const { width, height, kept } = canvas;
  const size = { width: kept.width, height: kept.height, channels: 2 };
  const moments = new Float32Array(kept.width * kept.height * 2);
  for (let at = 0; at < kept.width * kept.height; at++) {
    const [red, green, blue] = known.data.subarray(at * 3, at * 3 + 3);
    // About the middle grey, where squares keep their digits.
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue - 128;
    moments[at * 2] = luma;
    moments[at * 2 + 1] = luma * luma;
  }
  const means = boxMean({ ...size, data: moments }, radius).data;
  const detail = { width, height, channels: 1, data: new Float32Array(width * height) };
  for (let y = 0, at = 0; y < kept.height; y++) {
    const row = (kept.top + y) * width + kept.left;
    for (let x = 0; x < kept.width; x++, at++) {
      const variance = means[at * 2 + 1] - means[at * 2] ** 2;
      detail.data[row + x] = Math.sqrt(Math.max(0, variance));
    }
  }
  spreadFromBorder(canvas, detail, LIKENESS);
  return detail.data;
}
