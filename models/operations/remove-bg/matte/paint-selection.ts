import type { FloatImage } from '../../../core/runtime/raster.ts';
import { boundingBox } from '../../../kernels/raster/crop.ts';
import { bindNeighbours, ColourModel, distanceTo, forEachNode, type GridWindow } from './bind-neighbours.ts';
import { GridFlow } from './grid-flow.ts';

/** State before a stroke, per pixel of a grid. */
export interface Selection {
  /** Red, green, blue, 0 to 1. */
  readonly colours: FloatImage;
  /** 1: subject, 0: background. */
  readonly labels: Uint8Array;
  /** Likelihood of the subject before any stroke, 0 to 1. */
  readonly prior: Float32Array;
  /** Labels fixed by earlier strokes: 1 subject, 0 background, 255 none. */
  readonly settled: Uint8Array;
}

/** One stroke of the brush. */
export interface PaintedStroke {
  /** 1 on painted pixels. */
  readonly painted: Uint8Array;
  /** Label of the stroke: 1 subject, 0 background. */
  readonly label: 0 | 1;
  /** Distance in pixels that a stroke spreads freely. */
  readonly reach: number;
}

export const UNLABELLED = 255;
/** Unit of costs, which are whole numbers. */
const UNIT = 1000;
const HARD = 1_000_000;
/** Tuned on strokes by a simulated user, on images with hand-made masks. */
const WEIGHTS = { colour: 0.5, prior: 0.6, distance: 1, edge: 6, base: 0.15 } as const;
/** Limit on log-likelihood ratios of colours. */
const COLOUR_MOST = 4;
/** Limit on a stroke's effect, as a multiple of its reach. */
const WINDOW = 3;

/**
 * Spreads a stroke to pixels of similar colour, up to the nearest edges: J. Liu, J. Sun, H.-Y. Shum, "Paint
 * Selection", SIGGRAPH 2009 (pixels with the stroke's label keep it, the rest is cut by colours learnt from the
 * stroke), with the contrast term of C. Rother, V. Kolmogorov, A. Blake, "GrabCut", SIGGRAPH 2004, and a cost that
 * rises with the distance from the stroke. Painted pixels always get the stroke's label.
 * @param onProgress called now and then; may throw to abort
 * @returns the labels after the stroke
 */
export function spreadStroke(
  selection: Selection,
  stroke: PaintedStroke,
  onProgress: () => void,
): Uint8Array {
  const { colours, labels } = selection;
  const { width, height } = colours;
  const distances = distanceTo(stroke.painted, width, height);
  const window = getWindow(stroke, distances, width, height);
  if (!window) return labels;
  const flow = new GridFlow(window.right - window.left, window.bottom - window.top);
  bindTerminals(flow, selection, stroke, distances, window);
  bindNeighbours(flow, colours, window, UNIT * WEIGHTS.edge);
  flow.solve(onProgress);
  const after = labels.slice();
  forEachNode(window, (x, y) => {
    const pixel = y * width + x;
    const isWith = flow.isWithSource(x - window.left, y - window.top);
    // A pixel without evidence keeps its label.
    if (isWith) after[pixel] = stroke.label;
  });
  return after;
}

/** Returns the part of the grid that a stroke may change; null for a stroke outside the image. */
function getWindow(
  { reach }: PaintedStroke,
  distances: Float32Array,
  width: number,
  height: number,
): GridWindow | null {
  const box = boundingBox({ width, height }, (pixel) => !(distances[pixel] > reach * WINDOW));
  return box && { left: box.left, top: box.top, right: box.left + box.width, bottom: box.top + box.height };
}

/** Connects the terminals: the source is the stroke's label, the sink the other. */
function bindTerminals(
  flow: GridFlow,
  { colours, labels, prior, settled }: Selection,
  { painted, label, reach }: PaintedStroke,
  distances: Float32Array,
  window: GridWindow,
): void {
  const { data, width } = colours;
  const own = new ColourModel();
  const other = new ColourModel();
  for (let pixel = 0; pixel < labels.length; pixel++) {
    if (painted[pixel]) own.add(data, pixel, 1);
    else if (labels[pixel] !== label) other.add(data, pixel, distances[pixel] > reach ? 1 : 0.02);
  }
  const getBinding = (pixel: number): number => {
    if (painted[pixel] || settled[pixel] === label) return HARD;
    if (settled[pixel] !== UNLABELLED || distances[pixel] > reach * WINDOW) return -HARD;
    if (labels[pixel] === label) return HARD;
    const colour = own.getLog(data, pixel) - other.getLog(data, pixel);
    const towards = label === 1 ? prior[pixel] : 1 - prior[pixel];
    const far = (distances[pixel] / reach) ** 2;
    return (
      UNIT *
      (WEIGHTS.colour * Math.min(COLOUR_MOST, Math.max(-COLOUR_MOST, colour)) +
        WEIGHTS.prior * (2 * towards - 1) -
        WEIGHTS.distance * far -
        WEIGHTS.base)
    );
  };
  forEachNode(window, (x, y) =>
    flow.bindToTerminal(x - window.left, y - window.top, getBinding(y * width + x)),
  );
}
