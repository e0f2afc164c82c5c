import type { FloatImage } from '../../../models/core/runtime/raster.ts';
import { resizeImage } from '../../../models/kernels/raster/resize.ts';
import { distanceTo } from '../../../models/operations/remove-bg/matte/bind-neighbours.ts';
import type { Stroke } from '../../../models/operations/remove-bg/strokes.ts';

/** Width of the search grid: a person would not see finer faults either. */
const GRID_WIDTH = 200;
/** Smallest fault worth a stroke, as a share of the image. */
const FAULT_MIN = 0.0015;

interface Fault {
  readonly places: readonly number[];
  readonly isMissing: boolean;
}

/**
 * Returns the stroke that a visitor would paint: one line through the middle of the largest fault, half as thick as
 * the fault.
 * @param truth one channel, 0 or 1, of the size of the matte
 * @returns null without a fault worth a stroke
 */
export function chooseStroke(matte: FloatImage, truth: FloatImage): Stroke | null {
  const width = GRID_WIDTH;
  const height = Math.max(1, Math.round((width * matte.height) / matte.width));
  const [found, wanted] = [matte, truth].map((image) =>
    Uint8Array.from(resizeImage(image, width, height).data, (value) => (value > 0.5 ? 1 : 0)),
  ) as [Uint8Array, Uint8Array];
  const fault = largestFault(found, wanted, width);
  if (!fault || fault.places.length < width * height * FAULT_MIN) return null;
  const inside = new Set(fault.places);
  const depths = distanceTo(
    found.map((_, place) => (inside.has(place) ? 0 : 1)),
    width,
    height,
  );
  const middle = fault.places.reduce((best, place) =>
    depthAt(depths, place) > depthAt(depths, best) ? place : best,
  );
  const xy = (place: number) => [place % width, Math.floor(place / width)] as const;
  const share = ([x, y]: readonly [number, number]) => [(x + 0.5) / width, (y + 0.5) / height] as const;
  const ends = farthestInSight(fault.places, inside, xy(middle), width);
  return {
    mode: fault.isMissing ? 'keep' : 'erase',
    radius: Math.min(12, depthAt(depths, middle) / 2) / Math.max(width, height),
    points: [ends[0], xy(middle), ends[1]].map(share),
  };
}

const depthAt = (depths: Float32Array, place: number) => depths[place] as number;

/** Returns the largest connected fault of one kind. */
function largestFault(found: Uint8Array, wanted: Uint8Array, width: number): Fault | null {
  const seen = new Uint8Array(found.length);
  let largest: Fault | null = null;
  for (let seed = 0; seed < found.length; seed++) {
    if (seen[seed] || found[seed] === wanted[seed]) continue;
    const places: number[] = [];
    const stack = [seed];
    seen[seed] = 1;
    for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
      places.push(place);
      const x = place % width;
      const around = [x > 0 ? place - 1 : -1, x < width - 1 ? place + 1 : -1, place - width, place + width];
      for (const next of around) {
        if (seen[next] !== 0 || found[next] === wanted[next] || wanted[next] !== wanted[seed]) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
    if (places.length > (largest?.places.length ?? 0)) largest = { places, isMissing: wanted[seed] === 1 };
  }
  return largest;
}

type Place = readonly [x: number, y: number];

/** Returns the two opposite ends that straight lines from the middle reach within the fault. */
function farthestInSight(
  places: readonly number[],
  inside: ReadonlySet<number>,
  [x, y]: Place,
  width: number,
): [Place, Place] {
  const ends: [Place, Place] = [
    [x, y],
    [x, y],
  ];
  const best = [0, 0];
  for (const place of places) {
    const [toX, toY] = [place % width, Math.floor(place / width)];
    const length = Math.hypot(toX - x, toY - y);
    const side = toX - x + (toY - y) / 1000 < 0 ? 0 : 1;
    if (length <= (best[side] ?? 0)) continue;
    const isInSight = Array.from({ length: Math.ceil(length) }, (_, step) => step / Math.ceil(length)).every(
      (share) => inside.has(Math.round(y + share * (toY - y)) * width + Math.round(x + share * (toX - x))),
    );
    if (!isInSight) continue;
    best[side] = length;
    // A person stops before the edge.
    ends[side] = [x + 0.8 * (toX - x), y + 0.8 * (toY - y)];
  }
  return ends;
}
