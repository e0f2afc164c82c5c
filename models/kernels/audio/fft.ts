/** Discrete Fourier transform of one power-of-two length, in place, by Cooley and Tukey's radix 2. */
export class Fft {
  readonly #size: number;
  readonly #cosines: Float64Array;
  readonly #sines: Float64Array;
  readonly #reversed: Uint16Array;

  /** @param size a power of two, at most 65536 */
  constructor(size: number) {
    this.#size = size;
    const half = size / 2;
    const angles = Array.from({ length: half }, (_, at) => (2 * Math.PI * at) / size);
    this.#cosines = Float64Array.from(angles, Math.cos);
    this.#sines = Float64Array.from(angles, Math.sin);
    const bits = Math.log2(size);
    this.#reversed = Uint16Array.from({ length: size }, (_, at) => reverseBits(at, bits));
  }

  /** Replaces `real` + i `imaginary`, both of the transform's length, by their spectrum. */
  transform(real: Float64Array, imaginary: Float64Array): void {
    this.#reorder(real, imaginary);
    for (let width = 2; width <= this.#size; width *= 2) this.#combine(real, imaginary, width);
  }

  #reorder(real: Float64Array, imaginary: Float64Array): void {
    for (let at = 0; at < this.#size; at++) {
      const other = this.#reversed[at];
      if (other <= at) continue;
      [real[at], real[other]] = [real[other], real[at]];
      [imaginary[at], imaginary[other]] = [imaginary[other], imaginary[at]];
    }
  }

  /** Combines pairs of spectra into spectra of `width` bins. */
  #combine(real: Float64Array, imaginary: Float64Array, width: number): void {
    const half = width / 2;
    const step = this.#size / width;
    for (let start = 0; start < this.#size; start += width) {
      for (let bin = 0; bin < half; bin++) {
        const [low, high] = [start + bin, start + bin + half];
        const cosine = this.#cosines[bin * step];
        const sine = this.#sines[bin * step];
        const [re, im] = [real[high], imaginary[high]];
        const turnedRe = re * cosine + im * sine;
        const turnedIm = im * cosine - re * sine;
        real[high] = real[low] - turnedRe;
        imaginary[high] = imaginary[low] - turnedIm;
        real[low] = real[low] + turnedRe;
        imaginary[low] = imaginary[low] + turnedIm;
      }
    }
  }
}

function reverseBits(value: number, bits: number): number {
  let reversed = 0;
  for (let bit = 0; bit < bits; bit++) reversed |= ((value >> bit) & 1) << (bits - 1 - bit);
  return reversed;
}

/** Returns a periodic Hann window. */
export function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / length));
}
