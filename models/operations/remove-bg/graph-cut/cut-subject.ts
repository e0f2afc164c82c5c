import type { FloatImage } from '../../../core/runtime/raster.ts';
import { bindNeighbours, forEachNode } from './bind-neighbours.ts';
import { ColourModel } from './colour-model.ts';
import { distanceTo } from './distance.ts';
import { GridFlow } from './grid-flow.ts';

/** Unit of costs, which are whole numbers. */
const UNIT = 1000;
/**
 * Weights beside that of the matte's own log odds, which is 1. On DAVIS 2016 and composites of exact alpha every choice
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
export function learnColours(
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
    const ratio = subject.logOf(colours, pixel) - background.logOf(colours, pixel);
    return Math.max(-COLOUR_MOST, Math.min(COLOUR_MOST, ratio));
  };
}
