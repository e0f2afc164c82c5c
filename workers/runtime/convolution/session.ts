import { pause } from '../../../models/core/concurrency.ts';
import type { ProviderSession } from '../../../models/core/inference/provider-chain.ts';
import type { Tensor } from '../../../models/core/runtime/tensor.ts';
import { createMemory, type Memory, openKernel, type Program } from './kernel.ts';
import { type Plan, placeWeights, planRun, type WeightPlaces } from './plan.ts';
import type { Network } from './read-network.ts';
import { runShare } from './run-plan.ts';
import { transformWeights } from './transform-weights.ts';
import { writeImage } from './write-image.ts';

/** A thread besides the one that runs a session. */
export interface Helper {
  /** Does its share of a plan. */
  share(plan: Plan): Promise<void>;
  end(): void;
}

/** Starts a helper with an index, from 1 on, which opens the kernel. */
export type StartHelper = (program: Program, memory: Memory, index: number) => Promise<Helper>;

export interface SessionOptions {
  readonly network: Network;
  readonly program: Program;
  /** At least 1: the one that runs the session. */
  readonly threadCount: number;
  readonly startHelper: StartHelper;
}

const PAGE_BYTES = 65_536;

/** Looks after which a helper has seen by far that all rows are done: a device that sleeps takes one, however long. */
const SHARE_LOOKS = 10;
const SHARE_LOOK_MS = 1_000;

/**
 * Opens a session of one of our upscalers on the kernel. It takes and gives what its .onnx file says: 1 x 3 x height x
 * width, in 32-bit floats. A run blocks its thread until it ends. Helpers that do not start are done without.
 * @throws RangeError when there is too little memory for the weights
 */
export async function openConvolutions({
  network,
  program,
  threadCount,
  startHelper,
}: SessionOptions): Promise<ProviderSession> {
  const places = placeWeights(network);
  const memory = createMemory();
  writeWeights(network, places, memory);
  const thread = { kernel: openKernel(program, memory), memory, index: 0 };
  const starting = Array.from({ length: threadCount - 1 }, (_, at) => startHelper(program, memory, at + 1));
  const started = await Promise.allSettled(starting);
  const helpers = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [input, output] = network.names;
  const dims = [null, 3, null, null];
  let plan: Plan | undefined;
  return {
    inputs: [{ name: input, type: 'float32', dims }],
    outputs: [{ name: output, type: 'float32', dims }],
    async run({ [input]: image }) {
      const { width, height, data } = checkImage(image, network);
      if (plan?.width !== width || plan.height !== height) {
        const planned = planRun(network, places, { width, height, threadCount });
        reserve(memory, planned.bytes);
        new Uint8Array(memory.buffer, ...planned.zeros).fill(0);
        plan = planned;
      }
      const current = plan;
      writeImage(data, current, memory, network.isHalved);
      new Uint8Array(memory.buffer, ...current.counters).fill(0);
      const shares = Promise.all(helpers.map((helper) => helper.share(current)));
      // Where this thread's own share fails first, nothing else waits for them.
      shares.catch(() => {});
      runShare(current, thread);
      // A helper that came too late for this image must have seen so before the next one.
      await rejectLate(shares);
      return { [output]: readResult(current, memory) };
    },
    async release() {
      for (const helper of helpers) helper.end();
    },
  };
}

/** Settles as shares do. A helper that does not even see that all is done will never settle its own. */
async function rejectLate(shares: Promise<unknown>): Promise<void> {
  const settled = shares.then(() => true);
  for (let look = 0; look < SHARE_LOOKS; look++) {
    const waited = pause(SHARE_LOOK_MS).then(() => false);
    if (await Promise.race([settled, waited])) return;
  }
  throw new Error('a thread has ended');
}

function writeWeights(network: Network, places: WeightPlaces, memory: Memory): void {
  reserve(memory, places.end);
  network.convolutions.forEach((convolution, at) => {
    const place = places.convolutions[at];
    if (!place) return;
    transformWeights(convolution, new Float32Array(memory.buffer, place.weights, place.count));
    new Float32Array(memory.buffer, place.bias, convolution.bias.length).set(convolution.bias);
  });
  const samples = network.bicubic.length / 25;
  const kernels = new Float32Array(memory.buffer, places.bicubic, network.bicubic.length);
  network.bicubic.forEach((weight, at) => {
    kernels[(at % 25) * samples + Math.floor(at / 25)] = weight;
  });
}

/** @throws RangeError when there is too little memory */
function reserve(memory: Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) memory.grow(missing);
}

/** @throws RangeError when a network cannot enlarge it */
function checkImage(image: Tensor | undefined, { isHalved }: Network) {
  const [count, planes, height = 0, width = 0] = image?.dims ?? [];
  const divisor = isHalved ? 2 : 1;
  const fits = count === 1 && planes === 3 && width > 0 && height > 0;
  if (image?.type !== 'float32' || !fits || width % divisor > 0 || height % divisor > 0)
    throw new RangeError('the input is no image that the network can enlarge');
  return { width, height, data: image.data };
}

function readResult({ width, height, enlarging: { to, scale } }: Plan, { buffer }: Memory): Tensor {
  const dims = [1, 3, height * scale, width * scale];
  // A copy: the next run writes to the same place.
  return {
    type: 'float32',
    dims,
    data: new Float32Array(new Float32Array(buffer, to, 3 * width * height * scale ** 2)),
  };
}
