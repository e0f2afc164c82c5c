import { PAGES_MAX } from './kernel-sizes.ts';

/** The kernel's exports. Addresses and distances are in bytes; groups are vectors of four channels. */
export interface Kernel {
  /**
   * Convolves a row of tiles of 4 x 4 outputs.
   * @param from address of the first tile's 6 x 6 inputs, with `fromRow` between rows and `fromStep` between columns
   * @param to address of the first tile's outputs
   * @param residuals how many maps are added, 0 to 2, which lie `first` and `second` away from the output
   * @param slope factor of negative results
   * @param scratch address of `SCRATCH_BYTES`
   */
  convolveRow(
    from: number,
    fromRow: number,
    fromStep: number,
    fromGroups: number,
    to: number,
    toRow: number,
    toStep: number,
    toGroups: number,
    weights: number,
    bias: number,
    residuals: number,
    first: number,
    second: number,
    slope: number,
    tiles: number,
    scratch: number,
  ): void;
  enlargeTwice: EnlargeRow;
  enlargeFourfold: EnlargeRow;
}

/**
 * Enlarges a row of a plane, and adds corrections.
 * @param from address of the upper left of the 5 x 5 samples around the first one
 * @param kernels address of the samples' weights: 25 times as many as samples come from one
 * @param correction address of the first sample's corrections, row by row. Those of a twofold enlargement are two rows
 *   that lie `pitch` apart
 * @param step distance to the corrections of the second sample, of the fourth, and so on
 * @param nextStep distance to those of the third
 */
type EnlargeRow = (
  from: number,
  fromRow: number,
  kernels: number,
  correction: number,
  pitch: number,
  step: number,
  nextStep: number,
  to: number,
  toRow: number,
  width: number,
) => void;

/** A compiled kernel. Other threads can open it, too. */
export type Program = object;

/** Memory that threads share. */
export interface Memory {
  readonly buffer: SharedArrayBuffer;
  /** @throws RangeError when there is too little memory */
  grow(pages: number): number;
}

/** The part of WebAssembly that is used here: the types of Node lack it. */
interface Engine {
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => Memory;
  readonly Instance: new (program: Program, imports: object) => { readonly exports: object };
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<Program>;
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
}

const { WebAssembly: engine } = globalThis as unknown as { readonly WebAssembly: Engine };

/** Makes a memory for a session. It grows with what is convolved. */
export function createMemory(): Memory {
  return new engine.Memory({ initial: 1, maximum: PAGES_MAX, shared: true });
}

/** Compiles the bytes of a build. */
export function compileKernel(bytes: Uint8Array<ArrayBuffer>): Promise<Program> {
  return engine.compile(bytes);
}

/** Opens a kernel in this thread. */
export function openKernel(program: Program, memory: Memory): Kernel {
  return new engine.Instance(program, { env: { memory } }).exports as Kernel;
}

/** A module whose one function multiplies and adds by `f32x4.relaxed_madd`. */
const FUSED = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0],
  ...[65, 0, 253, 17, 65, 0, 253, 17, 65, 0, 253, 17, 253, 133, 2, 11],
];

/** Tells whether this engine multiplies and adds by one instruction, of relaxed SIMD. */
export function hasFusedMultiplyAdd(): boolean {
  return engine.validate(Uint8Array.from(FUSED));
}
