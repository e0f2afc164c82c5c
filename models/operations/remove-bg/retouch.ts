import type { FloatImage } from '../../core/runtime/raster.ts';
import { boxMean } from '../../kernels/raster/box-mean.ts';
import { fitWithin, resizeImage } from '../../kernels/raster/resize.ts';
import { spreadStroke, UNLABELLED } from './matte/paint-selection.ts';
import { refineMatte } from './matte-edges.ts';
import { paintStroke, type Stroke } from './strokes.ts';

/** Longer side of the grid on which strokes spread. */
const GRID_SIDE = 384;
const SUBJECT_FROM = 0.5;
/** Free reach of a stroke: its thickness plus this share of the grid's side. */
const REACH = { radii: 5, side: 0.06 };
/** Width in grid cells of the blend between the old matte and the new one around a change. */
const SEAM = 3;

interface Step {
  readonly stroke: string;
  readonly labels: Uint8Array;
  readonly settled: Uint8Array;
}

/** Matte that brush strokes correct. */
export class Retouch {
  readonly #colours: FloatImage;
  readonly #matte: FloatImage;
  readonly #small: FloatImage;
  readonly #prior: FloatImage;
  /** Result after each stroke, so that another stroke costs one more, and undo is free. */
  #steps: Step[] = [];

  /**
   * @param colours the image at working size
   * @param matte of the same size, 0 to 1, as predicted
   */
  constructor(colours: FloatImage, matte: FloatImage) {
    this.#colours = colours;
    this.#matte = matte;
    const { width, height } = fitWithin(colours, GRID_SIDE);
    this.#small = resizeImage(colours, width, height);
    this.#prior = resizeImage(matte, width, height);
  }

  /**
   * Returns the matte after some strokes, at working size.
   * @param strokes in painting order
   * @param onProgress called now and then; may throw to abort
   */
  matteAfter(strokes: readonly Stroke[], onProgress: () => void = () => {}): FloatImage {
    if (strokes.length === 0) return this.#matte;
    const { labels, settled } = this.#paint(strokes, onProgress);
    const touched = this.#image((pixel) =>
      settled[pixel] !== UNLABELLED || labels[pixel] !== this.#firstLabel(pixel) ? 1 : 0,
    );
    const cut = this.#image((pixel) => (touched.data[pixel] === 1 ? labels[pixel] : this.#prior.data[pixel]));
    return blend(this.#matte, refineMatte(this.#colours, cut), widen(touched, this.#matte), strokes);
  }

  #paint(strokes: readonly Stroke[], onProgress: () => void): Step {
    const keys = strokes.map((stroke) => JSON.stringify(stroke));
    const known = keys.findIndex((key, index) => this.#steps[index]?.stroke !== key);
    this.#steps.length = Math.min(this.#steps.length, known === -1 ? keys.length : known);
    let last: Omit<Step, 'stroke'> = this.#steps.at(-1) ?? {
      labels: Uint8Array.from(this.#prior.data, (_, pixel) => this.#firstLabel(pixel)),
      settled: new Uint8Array(this.#prior.data.length).fill(UNLABELLED),
    };
    for (let index = this.#steps.length; index < strokes.length; index++) {
      const step = this.#step(last, strokes[index], onProgress);
      last = step;
      this.#steps.push({ ...step, stroke: keys[index] });
    }
    return this.#steps[this.#steps.length - 1];
  }

  #step(
    { labels, settled }: Omit<Step, 'stroke'>,
    stroke: Stroke,
    onProgress: () => void,
  ): Omit<Step, 'stroke'> {
    const painted = paintStroke(stroke, this.#small);
    const label = stroke.mode === 'keep' ? 1 : 0;
    const side = Math.max(this.#small.width, this.#small.height);
    const reach = side * (stroke.radius * REACH.radii + REACH.side);
    const selection = { colours: this.#small, labels, prior: this.#prior.data, settled };
    return {
      labels: spreadStroke(selection, { painted, label, reach }, onProgress),
      settled: settled.map((before, pixel) => (painted[pixel] ? label : before)),
    };
  }

  #firstLabel(pixel: number): 0 | 1 {
    return this.#prior.data[pixel] >= SUBJECT_FROM ? 1 : 0;
  }

  #image(at: (pixel: number) => number): FloatImage {
    return { ...this.#prior, data: this.#prior.data.map((_, pixel) => at(pixel)) };
  }
}

/** Weights the new matte per pixel: fully where strokes changed it, and partly around. */
function widen(touched: FloatImage, { width, height }: FloatImage): FloatImage {
  const near = boxMean(touched, SEAM);
  const most = 1 / (2 * SEAM + 1);
  const data = near.data.map((share) => Math.min(1, share / most));
  return resizeImage(boxMean({ ...touched, data }, 1), width, height);
}

/** Blends both mattes. Painted pixels are certain, whatever the image's edges say. */
function blend(
  before: FloatImage,
  after: FloatImage,
  weight: FloatImage,
  strokes: readonly Stroke[],
): FloatImage {
  const data = before.data.map((value, pixel) => {
    const share = weight.data[pixel];
    return value + share * (after.data[pixel] - value);
  });
  for (const stroke of strokes) {
    const certain = stroke.mode === 'keep' ? 1 : 0;
    const painted = Float32Array.from(paintStroke(stroke, before));
    const soft = boxMean({ ...before, data: painted }, 1).data;
    for (let pixel = 0; pixel < data.length; pixel++) {
      const share = soft[pixel];
      if (share > 0) data[pixel] = data[pixel] + share * (certain - data[pixel]);
    }
  }
  return { ...before, data };
}
