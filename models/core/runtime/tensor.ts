/** Storage types of a tensor. `float16` samples are the raw 16 bits (IEEE 754 binary16). */
export interface TensorArrays {
  float32: Float32Array<ArrayBuffer>;
  float16: Uint16Array<ArrayBuffer>;
  uint8: Uint8Array<ArrayBuffer>;
  int32: Int32Array<ArrayBuffer>;
  int64: BigInt64Array<ArrayBuffer>;
}

export type TensorType = keyof TensorArrays;

/** Row-major numbers: the last dimension is contiguous. `data.length` is the product of `dims`. */
export type Tensor = {
  [Type in TensorType]: {
    readonly type: Type;
    readonly dims: readonly number[];
    readonly data: TensorArrays[Type];
  };
}[TensorType];

/** Declaration of a graph's input or output. `null`: a size that each run may choose. */
export interface TensorSpec {
  readonly name: string;
  readonly type: TensorType;
  readonly dims: readonly (number | null)[];
}

const STORES: { readonly [Type in TensorType]: new (buffer: ArrayBuffer) => TensorArrays[Type] } = {
  float32: Float32Array,
  float16: Uint16Array,
  uint8: Uint8Array,
  int32: Int32Array,
  int64: BigInt64Array,
};

export function isTensorType(value: string): value is TensorType {
  return Object.hasOwn(STORES, value);
}

/**
 * Wraps little-endian bytes as a tensor, as runtimes and the Open Inference Protocol store them.
 * @throws RangeError when the bytes do not match type and dimensions
 */
export function tensorOf(type: TensorType, dims: readonly number[], bytes: Uint8Array): Tensor {
  // A copy, since a view into a buffer need not be aligned to the element size.
  const data = new STORES[type](new Uint8Array(bytes).buffer);
  const elements = dims.reduce((product, size) => product * size, 1);
  if (data.length !== elements) {
    throw new RangeError(
      `a ${type} tensor of ${dims.join(' x ')} has ${elements} elements, not ${data.length}`,
    );
  }
  return { type, dims, data } as Tensor;
}

/**
 * Returns the tensor's numbers as 32-bit floats: its own data where possible, else converted.
 * @throws RangeError for 64-bit integers, which floats cannot hold
 */
export function floatsOf(tensor: Tensor): Float32Array<ArrayBuffer> {
  switch (tensor.type) {
    case 'float32':
      return tensor.data;
    case 'float16':
      return Float32Array.from(tensor.data, floatOfHalf);
    case 'uint8':
    case 'int32':
      return Float32Array.from(tensor.data);
    case 'int64':
      throw new RangeError('int64 values do not fit into floats');
  }
}

/** Converts 32-bit floats to a tensor of the floating type that a graph takes. */
export function floatTensor(
  type: 'float32' | 'float16',
  dims: readonly number[],
  data: Float32Array<ArrayBuffer>,
): Tensor {
  return type === 'float32'
    ? { type, dims, data }
    : { type, dims, data: Uint16Array.from(data, halfOfFloat) };
}

/**
 * Checks a result for obvious faults.
 * @returns `nan` (infinities too), `zeros` when there is nothing else, or null
 */
export function findInvalidValues(tensor: Tensor): 'nan' | 'zeros' | null {
  if (tensor.type === 'int64') return null;
  const values = floatsOf(tensor);
  let isZero = true;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (!Number.isFinite(value)) return 'nan';
    if (value !== 0) isZero = false;
  }
  return isZero ? 'zeros' : null;
}

const SUBNORMAL_STEP = 2 ** -24;

function floatOfHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * SUBNORMAL_STEP;
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
}

const word = new Float32Array(1);
const wordBits = new Uint32Array(word.buffer);

/** Rounds to nearest, ties to even; beyond 65504 to infinity. */
function halfOfFloat(value: number): number {
  word[0] = value;
  const bits = wordBits[0];
  const sign = (bits >>> 16) & 0x8000;
  const size = Math.abs(value);
  if (Number.isNaN(value)) return sign | 0x7e00;
  if (size >= 65520) return sign | 0x7c00;
  if (size < 2 ** -14) return sign | roundToEven(size / SUBNORMAL_STEP);
  // The exponent loses its surplus bias, the fraction 13 of its bits; a carry out of the fraction is correct.
  return sign | roundToEven(((bits & 0x7fffffff) - ((127 - 15) << 23)) / 8192);
}

function roundToEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
