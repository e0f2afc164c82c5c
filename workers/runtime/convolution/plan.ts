import { SCRATCH_BYTES, TILE } from './kernel-sizes.ts';
import type { Network } from './read-network.ts';
import { countTransformed } from './transform-weights.ts';

/** Samples with their channels innermost, within a border of one sample of zeros; its sides are filled up to tiles. */
export interface FeatureMap {
  /** Address of the border's first sample. */
  readonly at: number;
  /** Samples without the border. */
  readonly width: number;
  readonly height: number;
  /** Vectors of four channels. */
  readonly groups: number;
  /** Bytes from one row to the next. */
  readonly row: number;
  /** Bytes from one sample of a row to the next. */
  readonly step: number;
}

/** A 3 x 3 convolution with a bias, residuals that are added, and a slope for negative results. */
export interface ConvolutionStep {
  readonly from: FeatureMap;
  readonly to: FeatureMap;
  readonly weights: number;
  readonly bias: number;
  /** At most two, of the size of `to`; it may be one of them. */
  readonly residuals: readonly FeatureMap[];
  readonly slope: number;
}

/** The bicubic enlargement of the image, to which the last map is added. */
export interface EnlargingStep {
  readonly scale: 2 | 4;
  /** Address of three planes whose edges are repeated for two samples, and bytes of each of their rows. */
  readonly planes: number;
  readonly row: number;
  readonly kernels: number;
  readonly corrections: FeatureMap;
  /** Address of three enlarged planes. */
  readonly to: number;
}

/** Address and bytes of a part of the memory. */
type Place = readonly [at: number, bytes: number];

/** All that threads need to run a network on an image of one size. Can be sent to another worker. */
export interface Plan {
  readonly width: number;
  readonly height: number;
  readonly image: FeatureMap;
  readonly steps: readonly ConvolutionStep[];
  readonly enlarging: EnlargingStep;
  /** Two 32-bit counters for each step, which are 0 before a run: rows that threads have taken, and rows that are done. */
  readonly counters: Place;
  /** Address of a thread's scratch memory, for each. */
  readonly scratch: readonly number[];
  /** Range of bytes that is 0 before the first run. */
  readonly zeros: Place;
  readonly bytes: number;
}

/** Places of a convolution's transformed weights and of its bias. */
interface ConvolutionPlace {
  readonly weights: number;
  /** Floats of the weights. */
  readonly count: number;
  readonly bias: number;
}

/** Places of the weights of a network, for images of all sizes. */
export interface WeightPlaces {
  readonly convolutions: readonly ConvolutionPlace[];
  readonly bicubic: number;
  /** Address of the first byte after them. */
  readonly end: number;
}

/** Address of the first byte that is used: 0 is no place of a map. */
const START = 64;
/** Slope of the networks' leaky rectifiers. */
const SLOPE = 0.1;
/** Samples by which the edges of the planes are repeated. */
export const EDGE = 2;

/** Hands out memory from an address on, in multiples of a cache line. */
function createAllocator(start: number) {
  let end = start;
  return {
    take(bytes: number): number {
      const at = end;
      end += Math.ceil(bytes / 64) * 64;
      return at;
    },
    get end() {
      return end;
    },
  };
}

/** Places the weights of a network. */
export function placeWeights({ convolutions, bicubic }: Network): WeightPlaces {
  const memory = createAllocator(START);
  return {
    convolutions: convolutions.map(({ dims, bias }) => {
      const count = countTransformed(dims);
      return { weights: memory.take(4 * count), count, bias: memory.take(4 * bias.length) };
    }),
    bicubic: memory.take(4 * bicubic.length),
    end: memory.end,
  };
}

interface RunSize {
  readonly width: number;
  readonly height: number;
  readonly threadCount: number;
}

/** Plans a network for images of a size. Sides are even where the network computes at half of them. */
export function planRun(
  { isHalved, bicubic, convolutions }: Network,
  places: WeightPlaces,
  { width, height, threadCount }: RunSize,
): Plan {
  const scale = bicubic.length === 25 * 4 ? 2 : 4;
  const memory = createAllocator(places.end);
  const divisor = isHalved ? 2 : 1;
  const createMap = (channels: number): FeatureMap => {
    const groups = Math.ceil(channels / 4);
    const size = { width: width / divisor, height: height / divisor };
    const step = groups * 16;
    const row = withBorder(size.width) * step;
    return { ...size, at: memory.take(withBorder(size.height) * row), groups, row, step };
  };
  const image = createMap(4);
  const channels = convolutions.map(({ dims: [outputs = 0] }) => outputs);
  const steps = (isHalved ? chainSteps : residualSteps)(image, channels, createMap);
  const mapBytes = memory.end - places.end;
  const counterBytes = 8 * (steps.length + 1);
  const row = 4 * (width + 2 * EDGE);
  const planes = memory.take(3 * row * (height + 2 * EDGE));
  const to = memory.take(3 * 4 * width * height * scale ** 2);
  return {
    ...{ width, height, image },
    steps: steps.map((step, at) => ({ ...step, ...getAt(places.convolutions, at) })),
    enlarging: { scale, planes, row, kernels: places.bicubic, corrections: getAt(steps, -1).to, to },
    counters: [memory.take(counterBytes), counterBytes],
    scratch: Array.from({ length: threadCount }, () => memory.take(SCRATCH_BYTES)),
    zeros: [places.end, mapBytes],
    bytes: memory.end,
  };
}

/** Returns the samples of a side that is filled up to tiles, with its border. */
const withBorder = (side: number) => Math.ceil(side / TILE) * TILE + 2;

type Step = Omit<ConvolutionStep, 'weights' | 'bias'>;
type CreateMap = (channels: number) => FeatureMap;

/** Steps of a `FastUpscaler` of lab/training/upscale/model.py: one after the other, between two maps in turn. */
function chainSteps(image: FeatureMap, channels: readonly number[], createMap: CreateMap): readonly Step[] {
  const [width = 0] = channels;
  const maps = [createMap(width), createMap(width)];
  const last = channels.length - 1;
  return channels.map((outputs, at) => ({
    from: at === 0 ? image : getAt(maps, (at - 1) % 2),
    to: at === last ? createMap(outputs) : getAt(maps, at % 2),
    residuals: [],
    slope: at === last ? 1 : SLOPE,
  }));
}

/** Steps of a `FineUpscaler`: blocks of two, whose second adds what the first got, and the features of the image. */
function residualSteps(
  image: FeatureMap,
  channels: readonly number[],
  createMap: CreateMap,
): readonly Step[] {
  const [width = 0] = channels;
  const [features, inner, sum] = [createMap(width), createMap(width), createMap(width)];
  const last = channels.length - 1;
  return channels.map((outputs, at): Step => {
    if (at === 0) return { from: image, to: features, residuals: [], slope: 1 };
    if (at === last) return { from: sum, to: createMap(outputs), residuals: [], slope: 1 };
    const input = at <= 2 ? features : sum;
    if (at % 2 === 1) return { from: input, to: inner, residuals: [], slope: SLOPE };
    return at === last - 1
      ? { from: inner, to: sum, residuals: [input, features], slope: SLOPE }
      : { from: inner, to: sum, residuals: [input], slope: 1 };
  });
}

function getAt<Item>(items: readonly Item[], index: number): Item {
  const item = items.at(index);
  if (item === undefined) throw new RangeError('the network has too few convolutions');
  return item;
}
