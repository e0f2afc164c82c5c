import type { FloatImage } from '../../../core/runtime/raster.ts';
import { labelRegions } from '../../../kernels/raster/label-regions.ts';
import { fitWithin, resizeImage } from '../../../kernels/raster/resize.ts';
import { bindNeighbours, ColourModel, distanceTo, forEachNode } from './bind-neighbours.ts';
import { GridFlow } from './grid-flow.ts';

/** Unit of costs, which are whole numbers. */
const UNIT = 1000;

/**
 * Weights relative to that of the matte's own log odds, which is 1. On DAVIS 2016 and composites of exact alpha every choice
 * from 0.15 and 3 to 0.35 and 6 does about equally well, for a small network and for a larger one.
 */
const WEIGHTS = { colour: 0.25, edge: 5 };

/** Limit on log-likelihood ratios of colours. */
const COLOUR_MOST = 4;

/** Least distance of a matte value from 0 and 1: no model is surer. */
const DOUBT_MIN = 0.02;

const SUBJECT_FROM = 0.5;

/** Distance from the subject within which colours of the background count fully, as a share of the longer side. */
const NEARBY = 0.25;

/** Weight of the background's colours farther away. */
const FAR_WEIGHT = 0.1;

/** Longer side of the grid on which a subject is cut, for still images and for frames of a video. */
export const CUT_SIDE = { still: 256, frame: 160 } as const;

/** Matte value from which pixels hold together as one subject: thin structures are seldom more certain. */
const LINKED = 0.2;

/** Matte value from which a pixel belongs to the subject rather than to its surroundings. */
const SOLID = 0.5;

/** Area of solid pixels, as a share of the largest subject, below which a detached island goes. */
const ISLAND = 0.02;

/**
 * Area up to which an island must be sure to stay, as a share of the largest subject, and the mean value that is sure.
 */
const SMALL = { area: 0.1, sure: 0.75 };

/** Mean matte value up to which an enclosed region may be a gap: above it, the model itself saw the subject there. */
const GAP_MAX = 0.3;

/** Distance from the cut from which it decides alone, as a share of the longer side: nearer, the edge stays soft. */
const BAND = 0.03;

/** Half the width up to which a structure is thin, as a share of the longer side. */
const THIN = 0.012;

/**
 * Makes a model's matte one that a subject can have: an opaque inside, a clear outside and no detached islands. Holes
 * are filled unless their colours are rather the background's. What is grey away from the outline becomes what the
 * matte and the colours around make more likely. Thin structures stay where faint values link them to the subject, and
 * small islands where the model saw them clearly.
 * @param matte one channel, 0 to 1
 * @param colours red, green, blue, 0 to 1, over the same image at any size
 * @param side longer side of the grid on which the subject is cut
 * @returns a matte of the same size
 */
export function completeMatte(matte: FloatImage, colours: FloatImage, side: number): FloatImage {
  const { width, height } = fitWithin(colours, side);
  const islandless = dropIslands(resizeImage(matte, width, height));
  const small = resizeImage(colours, width, height);
  const subject = cutSubject(fillHoles(islandless, small), small);
  const raise = getDepths(subject, 1, islandless);
  const lower = getDepths(subject, 0, islandless);
  const thin = findThin(islandless);
  lower.data.forEach((depth, place) => {
    lower.data[place] = islandless.data[place] === CLEARED ? 1 : thin[place] ? 0 : depth;
  });
  const raised = resizeImage(raise, matte.width, matte.height).data;
  const lowered = resizeImage(lower, matte.width, matte.height).data;
  const data = matte.data.map((value, place) => {
    const whole = value + raised[place] * (1 - value);
    return whole * (1 - lowered[place]);
  });
  return { ...matte, data };
}

/** Value of what was cleared: like 0, but known to be none of the subject. */
const CLEARED = -1;

/** Clears islands to `CLEARED`, and the haze that is nearer to one of them than to a subject that stays. */
function dropIslands(matte: FloatImage): FloatImage {
  const { width, height, data } = matte;
  const linked = Uint8Array.from(data, (value) => (value >= LINKED ? 1 : 0));
  const { labels, areas } = labelRegions(linked, width, height, 8);
  const islands = areas.map(() => ({ area: 0, sum: 0 }));
  labels.forEach((name, place) => {
    const island = islands[name];
    const value = data[place];
    if (!island || value < SOLID) return;
    island.area += 1;
    island.sum += value;
  });
  const largest = islands.reduce((most, { area }) => Math.max(most, area), 0);
  const stays = islands.map(({ area, sum }) => {
    if (area === 0 || area < ISLAND * largest) return false;
    return area >= SMALL.area * largest || sum >= SMALL.sure * area;
  });
  if (!stays.includes(true) || !stays.includes(false)) return matte;
  const kept = Uint8Array.from(labels, (name) => (stays[name] === true ? 1 : 0));
  const dropped = Uint8Array.from(labels, (name) => (stays[name] === false ? 1 : 0));
  const toKept = distanceTo(kept, width, height);
  const toDropped = distanceTo(dropped, width, height);
  const isNearer = (place: number) => toDropped[place] < toKept[place];
  return { ...matte, data: data.map((value, place) => (isNearer(place) ? CLEARED : value)) };
}

/** Fills the regions that the subject encloses, but for gaps through which the background shows. */
function fillHoles(matte: FloatImage, colours: FloatImage): FloatImage {
  const { width, height, data } = matte;
  const open = Uint8Array.from(data, (value) => (value < SOLID ? 1 : 0));
  const { labels, areas, touchesBorder } = labelRegions(open, width, height, 4);
  if (touchesBorder.every(Boolean)) return matte;
  const evidence = learnColours(matte, colours);
  const sums = areas.map(() => ({ matte: 0, evidence: 0 }));
  labels.forEach((name, place) => {
    const sum = touchesBorder[name] === false ? sums[name] : undefined;
    if (!sum) return;
    sum.matte += data[place];
    sum.evidence += evidence(place);
  });
  const isFilled = sums.map(
    (sum, name) => touchesBorder[name] === false && (sum.evidence >= 0 || sum.matte >= GAP_MAX * areas[name]),
  );
  return { ...matte, data: data.map((value, place) => (isFilled[labels[place]] ? 1 : value)) };
}

/** Marks thin parts of what holds together: those that its opening by a disc loses (J. Serra, 1982). */
function findThin({ width, height, data }: FloatImage): Uint8Array {
  const radius = Math.max(1, THIN * Math.max(width, height));
  const apart = Uint8Array.from(data, (value) => (value < LINKED ? 1 : 0));
  const core = Uint8Array.from(distanceTo(apart, width, height), (depth) => (depth > radius ? 1 : 0));
  const toCore = distanceTo(core, width, height);
  return apart.map((isApart, place) => (!isApart && toCore[place] > radius + 0.5 ? 1 : 0));
}

/** Returns how deep each pixel of one label lies: 0 next to the cut to 1 where the cut decides alone. */
function getDepths(
  subject: Uint8Array,
  label: 0 | 1,
  { width, height }: { readonly width: number; readonly height: number },
): FloatImage {
  const others = subject.map((own) => (own === label ? 0 : 1));
  const band = BAND * Math.max(width, height);
  const data = distanceTo(others, width, height).map((distance) => Math.min(1, distance / band));
  return { width, height, channels: 1, data };
}

/**
 * Decides which pixels are the subject's: the minimum cut of the matte's log odds, of colours learnt from the matte
 * itself, and of the edges of colour, as in one round of C. Rother, V. Kolmogorov, A. Blake, "GrabCut", SIGGRAPH 2004.
 * @param matte one channel, 0 to 1
 * @param colours red, green, blue, 0 to 1, of the same size
 * @returns 1 for each pixel of the subject, row by row
 */
export function cutSubject(matte: FloatImage, colours: FloatImage): Uint8Array<ArrayBuffer> {
  const { width, height } = matte;
  const window = { left: 0, top: 0, right: width, bottom: height };
  const evidence = learnColours(matte, colours);
  const flow = new GridFlow(width, height);
  forEachNode(window, (x, y) => {
    const pixel = y * width + x;
    const value = Math.min(1 - DOUBT_MIN, Math.max(DOUBT_MIN, matte.data[pixel]));
    flow.bindToTerminal(x, y, UNIT * (Math.log(value / (1 - value)) + WEIGHTS.colour * evidence(pixel)));
  });
  bindNeighbours(flow, colours, window, UNIT * WEIGHTS.edge);
  flow.solve(() => {});
  const labels = new Uint8Array(width * height);
  forEachNode(window, (x, y) => {
    labels[y * width + x] = flow.isWithSource(x, y) ? 1 : 0;
  });
  return labels;
}

/**
 * Learns the colours of a matte's subject and background.
 * @returns function that tells by its colour how far a pixel is the subject's (above 0) or the background's, -4 to 4
 */
function learnColours(
  { width, height, data }: FloatImage,
  { data: colours }: FloatImage,
): (pixel: number) => number {
  const subject = new ColourModel();
  const background = new ColourModel();
  const isSubject = Uint8Array.from(data, (value) => (value >= SUBJECT_FROM ? 1 : 0));
  const distances = distanceTo(isSubject, width, height);
  const reach = NEARBY * Math.max(width, height);
  for (let pixel = 0; pixel < data.length; pixel++) {
    const value = data[pixel];
    if (isSubject[pixel]) subject.add(colours, pixel, value);
    else background.add(colours, pixel, (1 - value) * (distances[pixel] < reach ? 1 : FAR_WEIGHT));
  }
  return (pixel) => {
    const ratio = subject.getLog(colours, pixel) - background.getLog(colours, pixel);
    return Math.max(-COLOUR_MOST, Math.min(COLOUR_MOST, ratio));
  };
}
