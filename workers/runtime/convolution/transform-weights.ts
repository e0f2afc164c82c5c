import { BLOCK_OUTPUTS } from './kernel-sizes.ts';
import type { Convolution } from './read-network.ts';

/** The algorithm's G. */
const G = [
  [1 / 4, 0, 0],
  [-1 / 6, -1 / 6, -1 / 6],
  [-1 / 6, 1 / 6, -1 / 6],
  [1 / 24, 1 / 12, 1 / 6],
  [1 / 24, -1 / 12, 1 / 6],
  [0, 0, 1],
] as const;

/** Returns the floats that `transformWeights` writes. Channels are filled up to whole vectors, outputs to whole blocks. */
export function countTransformed([outputs = 0, inputs = 0]: readonly number[]): number {
  return 36 * Math.ceil(outputs / BLOCK_OUTPUTS) * BLOCK_OUTPUTS * Math.ceil(inputs / 4) * 4;
}

/**
 * Transforms the weights of a 3 x 3 convolution for the kernel, by place, block of outputs, input and output.
 * @param into zeros, as many as `countTransformed` says
 */
export function transformWeights({ dims, weights }: Convolution, into: Float32Array): void {
  const [outputs = 0, inputs = 0] = dims;
  const inputsFilled = Math.ceil(inputs / 4) * 4;
  const placeFloats = into.length / 36;
  for (let output = 0; output < outputs; output++) {
    const block =
      Math.floor(output / BLOCK_OUTPUTS) * inputsFilled * BLOCK_OUTPUTS + (output % BLOCK_OUTPUTS);
    for (let input = 0; input < inputs; input++) {
      const tile = transformTile(weights, (output * inputs + input) * 9);
      for (let place = 0; place < 36; place++)
        into[place * placeFloats + block + input * BLOCK_OUTPUTS] = tile[place];
    }
  }
}

/** Returns G g Gᵀ of the nine weights g from a place on. */
function transformTile(weights: Float32Array, from: number): Float64Array {
  const tile = new Float64Array(36);
  for (let row = 0; row < 6; row++) {
    const [upper, middle, lower] = G[row] as (typeof G)[number];
    const across = [0, 1, 2].map(
      (x) => upper * weights[from + x] + middle * weights[from + 3 + x] + lower * weights[from + 6 + x],
    );
    for (let column = 0; column < 6; column++) {
      const [left, centre, right] = G[column] as (typeof G)[number];
      tile[row * 6 + column] = left * (across[0] ?? 0) + centre * (across[1] ?? 0) + right * (across[2] ?? 0);
    }
  }
  return tile;
}
