import type { FloatImage } from '../../raster.ts';
import { ColourModel } from './colour-model.ts';
import { distanceTo } from './distance.ts';
import { GridFlow, WAYS } from './grid-flow.ts';

/** What is known before a stroke, for each place of a grid. */
export interface Selection {
  /** Red, green, blue, 0 to 1. */
  readonly colours: FloatImage;
  /** 1: subject, 0: background. */
  readonly labels: Uint8Array;
  /** How likely each place was subject before any stroke, 0 to 1. */
  readonly prior: Float32Array;
  /** What earlier strokes have settled: 1 subject, 0 background, 255 nothing. */
  readonly settled: Uint8Array;
}

/** One stroke of the brush. */
export interface PaintedStroke {
  /** 1 where the brush was. */
  readonly painted: Uint8Array;
  /** What is painted: 1 subject, 0 background. */
  readonly label: 0 | 1;
  /** Places to which a stroke spreads without hindrance. */
  readonly reach: number;
}

export const UNSETTLED = 255;

/** Costs are whole numbers of this part. */
const UNIT = 1000;
const HARD = 1_000_000;
/** Tuned on strokes by a made-up user, on pictures with hand-made masks. */
const WEIGHTS = { colour: 0.5, prior: 0.6, distance: 1, edge: 6, base: 0.15 } as const;
/** Logarithms of how much likelier a colour is are kept within this. */
const COLOUR_MOST = 4;
/** Strokes reach no farther than this many times their reach. */
const WINDOW = 3;

/**
 * Lets a stroke spread to what belongs to it by colour, up to the nearest edges: J. Liu, J. Sun, H.-Y. Shum, "Paint
 * Selection", SIGGRAPH 2009 (what has the stroke's label already stays, the rest is cut by colours learnt from the
 * stroke), with the contrast term of C. Rother, V. Kolmogorov, A. Blake, "GrabCut", SIGGRAPH 2004, and a cost that rises
 * with the distance from the stroke. What was painted has the stroke's label for certain.
 * @param onProgress called now and then; may throw to end it
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
  const window = windowOf(stroke, distances, width, height);
  if (!window) return labels;
  const flow = new GridFlow(window.right - window.left, window.bottom - window.top);
  bindTerminals(flow, selection, stroke, distances, window);
  bindNeighbours(flow, colours, window);
  flow.solve(onProgress);
  const after = labels.slice();
  forEach(window, (x, y) => {
    const place = y * width + x;
    const isWith = flow.isWithSource(x - window.left, y - window.top);
    // A place that nothing can be said about keeps its label.
    if (isWith) after[place] = stroke.label;
  });
  return after;
}

interface Window {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The part of the grid that a stroke may change; null for a stroke beside the picture. */
function windowOf(
  { reach }: PaintedStroke,
  distances: Float32Array,
  width: number,
  height: number,
): Window | null {
  const window = { left: width, top: height, right: 0, bottom: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((distances[y * width + x] as number) > reach * WINDOW) continue;
      window.left = Math.min(window.left, x);
      window.right = Math.max(window.right, x + 1);
      window.top = Math.min(window.top, y);
      window.bottom = Math.max(window.bottom, y + 1);
    }
  }
  return window.right > 0 ? window : null;
}

function forEach(window: Window, visit: (x: number, y: number) => void): void {
  for (let y = window.top; y < window.bottom; y++)
    for (let x = window.left; x < window.right; x++) visit(x, y);
}

/** The source is the stroke's label, the sink the other. */
function bindTerminals(
  flow: GridFlow,
  { colours, labels, prior, settled }: Selection,
  { painted, label, reach }: PaintedStroke,
  distances: Float32Array,
  window: Window,
): void {
  const { data, width } = colours;
  const own = new ColourModel();
  const other = new ColourModel();
  for (let place = 0; place < labels.length; place++) {
    if (painted[place]) own.add(data, place, 1);
    else if (labels[place] !== label) other.add(data, place, (distances[place] as number) > reach ? 1 : 0.02);
  }
  const bindingOf = (place: number): number => {
    if (painted[place] || settled[place] === label) return HARD;
    if (settled[place] !== UNSETTLED || (distances[place] as number) > reach * WINDOW) return -HARD;
    if (labels[place] === label) return HARD;
    const colour = own.logOf(data, place) - other.logOf(data, place);
    const towards = label === 1 ? (prior[place] as number) : 1 - (prior[place] as number);
    const far = ((distances[place] as number) / reach) ** 2;
    return (
      UNIT *
      (WEIGHTS.colour * Math.min(COLOUR_MOST, Math.max(-COLOUR_MOST, colour)) +
        WEIGHTS.prior * (2 * towards - 1) -
        WEIGHTS.distance * far -
        WEIGHTS.base)
    );
  };
  forEach(window, (x, y) => flow.bindToTerminal(x - window.left, y - window.top, bindingOf(y * width + x)));
}

function bindNeighbours(flow: GridFlow, { data, width }: FloatImage, window: Window): void {
  const contrast = (place: number, other: number): number => {
    let sum = 0;
    for (let channel = 0; channel < 3; channel++) {
      sum += ((data[place * 3 + channel] as number) - (data[other * 3 + channel] as number)) ** 2;
    }
    return sum;
  };
  const pairs = (visit: (x: number, y: number, way: number, contrast: number) => void) =>
    forEach(window, (x, y) => {
      // Every other way: those back are bound with them.
      for (let way = 0; way < WAYS.length; way += 2) {
        const [dx, dy] = WAYS[way] as (typeof WAYS)[number];
        if (x + dx >= window.right || y + dy >= window.bottom || y + dy < window.top) continue;
        visit(x, y, way, contrast(y * width + x, (y + dy) * width + x + dx));
      }
    });
  let total = 0;
  let count = 0;
  pairs((_x, _y, _way, difference) => {
    total += difference;
    count += 1;
  });
  const beta = total > 0 ? count / (2 * total) : 0;
  pairs((x, y, way, difference) => {
    const span = way < 4 ? 1 : Math.SQRT2;
    const cost = (UNIT * WEIGHTS.edge * Math.exp(-beta * difference)) / span;
    flow.bindToNeighbour(x - window.left, y - window.top, way, cost);
  });
}
