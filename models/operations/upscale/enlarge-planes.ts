import { isOutOfMemory, modelMismatch } from '../../core/inference/model-errors.ts';
import { runSingle } from '../../core/inference/sessions.ts';
import type { Session } from '../../core/runtime/inference.ts';
import { WarningSet } from '../../core/runtime/run-warnings.ts';
import { floatTensor, getFloats } from '../../core/runtime/tensor.ts';
import { boxMean } from '../../kernels/raster/box-mean.ts';
import { scaleRegion } from '../../kernels/raster/crop.ts';
import {
  type ColourPlanes,
  cropPlanes,
  emptyPlanes,
  limitToNeighbours,
  pastePlanes,
  type RegionPlanes,
  restorePlanes,
} from './colour-planes.ts';
import { stepOf, type UpscaleNetwork } from './plan-passes.ts';
import { splitTile } from './tile-regions.ts';

/** Half the side of the neighbourhood that decides whether a pixel is drawn, in pixels. */
const DRAWN_REACH = 3;

/** Share of neighbours of one colour from which on a place is drawn. Noise leaves photographs hardly any. */
const DRAWN_SHARE = 0.35;

type Plane = Float32Array<ArrayBuffer>;

/** Facts about a network's runs, besides their output. */
export interface EnlargeReport {
  provider: string;
  readonly notices: WarningSet;
  /** Pixels of a tile for which the memory was too small, by network; none for those that it has sufficed for. */
  readonly pixelsTooMany: Map<UpscaleNetwork, number>;
}

export function createReport(): EnlargeReport {
  return { provider: '', notices: new WarningSet(), pixelsTooMany: new Map() };
}

export interface PlanesOptions {
  readonly signal: AbortSignal;
  /** Is filled in. */
  readonly report: EnlargeReport;
  /** Whether no place may swing out next to an edge; decided place by place when absent. */
  readonly isDrawing?: boolean;
}

/** Side below which a tile is not divided further, besides its margins, in pixels. */
const SIDE_MIN = 16;

/**
 * Enlarges planes by a network, or only restores their colours; alpha as a grey image. Where the memory is too small, it divides them.
 * @returns enlarged planes, right except within the network's margin
 * @throws OperationError `unavailable` when the network does not match its description, or fails
 */
export async function enlargePlanes(
  network: UpscaleNetwork,
  session: Session,
  planes: RegionPlanes,
  options: PlanesOptions,
): Promise<RegionPlanes> {
  const { pixelsTooMany } = options.report;
  const pixels = planes.width * planes.height;
  const mayDivide = Math.max(planes.width, planes.height) >= 2 * (network.margin + SIDE_MIN);
  if (!mayDivide || pixels < (pixelsTooMany.get(network) ?? Number.POSITIVE_INFINITY)) {
    try {
      return await enlargeAtOnce(network, session, planes, options);
    } catch (thrown) {
      if (!mayDivide || !isOutOfMemory(thrown)) throw thrown;
      pixelsTooMany.set(network, pixels);
    }
  }
  const step = stepOf(network);
  const enlarged = emptyPlanes(planes.width * step, planes.height * step, planes.alpha !== null);
  for (const { region, from, to } of splitTile(planes, network)) {
    const half = await enlargePlanes(network, session, cropPlanes(planes, region), options);
    pastePlanes(half, scaleRegion(from, step), enlarged, scaleRegion(to, step));
  }
  return enlarged;
}

async function enlargeAtOnce(
  network: UpscaleNetwork,
  session: Session,
  planes: RegionPlanes,
  options: PlanesOptions,
): Promise<RegionPlanes> {
  const { width, height, colours, alpha } = planes;
  const run = (data: Plane) => runNetwork(network, session, { width, height, data }, options);
  const { scale } = network;
  const enlarged = { width: width * scale, height: height * scale, colours: await run(colours) };
  restrainColours(enlarged, { width, height, colours }, scale, options.isDrawing);
  if (network.keepsSize) return restorePlanes(planes, enlarged);
  return {
    ...enlarged,
    alpha: alpha && (await enlargeAlpha({ width, height, data: alpha }, network.scale, run)),
  };
}

/** Enlarges alpha as a grey image, without the ringing that a network adds to its hard edges. */
async function enlargeAlpha(
  alpha: Planes,
  scale: number,
  run: (colours: Plane) => Promise<Plane>,
): Promise<Plane> {
  const enlarged = meanOfThree(await run(threefold(alpha.data)));
  limitToNeighbours(enlarged, alpha, scale);
  return enlarged;
}

/** Planes of one size, one after the other. */
interface Planes {
  readonly width: number;
  readonly height: number;
  readonly data: Plane;
}

async function runNetwork(
  network: UpscaleNetwork,
  session: Session,
  { width, height, data }: Planes,
  { signal, report }: PlanesOptions,
): Promise<Plane> {
  const options = { card: network.card, lack: 'enlarge an image', signal };
  const { output, provider, notices } = await runSingle(session, options, (type) =>
    floatTensor(type, [1, 3, height, width], data),
  );
  report.provider = provider;
  report.notices.add(...notices);
  if (output.data.length !== data.length * network.scale ** 2)
    throw modelMismatch(options.card, options.lack);
  return getFloats(output);
}

/** Writes a plane three times, as a grey image. */
function threefold(plane: Plane): Plane {
  const planes = new Float32Array(plane.length * 3);
  for (let channel = 0; channel < 3; channel++) planes.set(plane, channel * plane.length);
  return planes;
}

function meanOfThree(planes: Plane): Plane {
  const size = planes.length / 3;
  return Float32Array.from(
    { length: size },
    (_, at) => (planes[at] + planes[at + size] + planes[at + 2 * size]) / 3,
  );
}

/**
 * Takes back what a network adds to an enlarged image, in place: colours where the source is grey, and swings next to
 * the hard edges of drawings and in flat areas. Decided place by place, as drawings and photographs share images.
 * @param enlarged `source`, a whole factor larger
 * @param isDrawing whether the whole source counts as drawn
 */
export function restrainColours(
  enlarged: ColourPlanes,
  source: ColourPlanes,
  factor: number,
  isDrawing = false,
): void {
  const { width, height } = source;
  makeGrey(enlarged, greyPlaces(source), { width, factor });
  const isDrawn = isDrawing ? undefined : drawnPlaces(source);
  const [size, enlargedSize] = [width * height, enlarged.width * enlarged.height];
  for (let channel = 0; channel < 3; channel++) {
    const data = source.colours.subarray(channel * size, (channel + 1) * size);
    const into = enlarged.colours.subarray(channel * enlargedSize, (channel + 1) * enlargedSize);
    limitToNeighbours(into, { width, height, data }, factor, isDrawn);
  }
}

/** Returns 1 for pixels that are grey together with the eight around them. */
function greyPlaces({ width, height, colours }: ColourPlanes): Uint8Array {
  const size = width * height;
  const isGrey = Float32Array.from({ length: size }, (_, at) =>
    colours[at] === colours[at + size] && colours[at] === colours[at + 2 * size] ? 1 : 0,
  );
  // Sums of ones are exact, so a mean of 1 means all of them but for the division.
  const { data } = boxMean({ width, height, channels: 1, data: isGrey }, 1);
  return Uint8Array.from(data, (share) => (share > 0.95 ? 1 : 0));
}

/** Returns 1 for pixels in whose neighbourhood many have the very colour of those next to them. */
function drawnPlaces({ width, height, colours }: ColourPlanes): Uint8Array {
  const size = width * height;
  const isEqual = (one: number, other: number) =>
    colours[one] === colours[other] &&
    colours[one + size] === colours[other + size] &&
    colours[one + 2 * size] === colours[other + 2 * size];
  const equal = new Float32Array(size);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const right = x + 1 < width ? at + 1 : at;
      const below = y + 1 < height ? at + width : at;
      equal[at] = (isEqual(at, right) ? 0.5 : 0) + (isEqual(at, below) ? 0.5 : 0);
    }
  }
  const { data } = boxMean({ width, height, channels: 1, data: equal }, DRAWN_REACH);
  return Uint8Array.from(data, (share) => (share >= DRAWN_SHARE ? 1 : 0));
}

/** Gives the enlarged pixels of grey places the mean of their channels, in place. */
function makeGrey(
  { width, height, colours }: ColourPlanes,
  isGrey: Uint8Array,
  source: { readonly width: number; readonly factor: number },
): void {
  const size = width * height;
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.floor(y / source.factor) * source.width;
    for (let x = 0; x < width; x++, at++) {
      if (!isGrey[row + Math.floor(x / source.factor)]) continue;
      const sum = colours[at] + colours[at + size] + colours[at + 2 * size];
      colours[at] = sum / 3;
      colours[at + size] = sum / 3;
      colours[at + 2 * size] = sum / 3;
    }
  }
}
