import type { Raster8 } from '../../../models/core/runtime/raster.ts';

export type ResizeKernel = 'bicubic' | 'lanczos';

interface Kernel {
  /** Distance from which on all weights are 0, in source pixels. */
  readonly radius: number;
  weightAt(distance: number): number;
}

const KERNELS: Readonly<Record<ResizeKernel, Kernel>> = {
  // Keys' cubic kernel, a = -0.5.
  bicubic: {
    radius: 2,
    weightAt(distance) {
      const x = Math.abs(distance);
      if (x <= 1) return 1.5 * x ** 3 - 2.5 * x ** 2 + 1;
      return x <= 2 ? -0.5 * x ** 3 + 2.5 * x ** 2 - 4 * x + 2 : 0;
    },
  },
  lanczos: {
    radius: 3,
    weightAt: (distance) => (Math.abs(distance) < 3 ? sinc(distance) * sinc(distance / 3) : 0),
  },
};

/**
 * Resizes an opaque image as MATLAB's antialiased `imresize` does, which the figures of super-resolution assume:
 * mirrored edges, and samples rounded and limited once, at the end.
 * @param factor of both sides, which it must divide into whole pixels
 */
export function imresize({ width, height, data }: Raster8, factor: number, kernel: ResizeKernel): Raster8 {
  const rows = resizeLines(
    Float32Array.from(data),
    { lines: width, samples: height, step: width * 4, next: 4 },
    factor,
    kernel,
  );
  const tall = Math.round(height * factor);
  const wide = Math.round(width * factor);
  const all = resizeLines(rows, { lines: tall, samples: width, step: 4, next: width * 4 }, factor, kernel);
  const resized = new Uint8Array(wide * tall * 4);
  for (let at = 0; at < resized.length; at++) {
    resized[at] = Math.min(255, Math.max(0, Math.floor(all[at] + 0.5)));
  }
  return { width: wide, height: tall, data: resized };
}

/** Lines of pixels of four samples: rows or columns. */
interface Lines {
  readonly lines: number;
  /** Pixels per line. */
  readonly samples: number;
  /** Distance of the pixels of a line, in numbers. */
  readonly step: number;
  /** Distance of the lines, in numbers. */
  readonly next: number;
}

function resizeLines(
  pixels: Float32Array,
  { lines, samples, step, next }: Lines,
  factor: number,
  name: ResizeKernel,
): Float32Array {
  const length = Math.round(samples * factor);
  const isDown = step > next;
  const resized = new Float32Array(lines * length * 4);
  const [stepTo, nextTo] = isDown ? [step, next] : [step, length * 4];
  for (let place = 0; place < length; place++) {
    for (const { index, weight } of taps(place, samples, factor, KERNELS[name])) {
      for (let line = 0; line < lines; line++) {
        const from = line * next + index * step;
        const to = line * nextTo + place * stepTo;
        for (let channel = 0; channel < 4; channel++) {
          resized[to + channel] = resized[to + channel] + weight * pixels[from + channel];
        }
      }
    }
  }
  return resized;
}

function taps(place: number, samples: number, factor: number, { radius, weightAt }: Kernel) {
  const stretch = Math.min(1, factor);
  const centre = (place + 0.5) / factor - 0.5;
  const first = Math.floor(centre - radius / stretch);
  const count = Math.ceil((2 * radius) / stretch) + 2;
  const found = Array.from({ length: count }, (_, tap) => ({
    index: mirrored(first + tap, samples),
    weight: weightAt(stretch * (centre - first - tap)),
  })).filter(({ weight }) => weight !== 0);
  const sum = found.reduce((total, { weight }) => total + weight, 0);
  return found.map(({ index, weight }) => ({ index, weight: weight / sum }));
}

function mirrored(index: number, length: number): number {
  const within = ((index % (2 * length)) + 2 * length) % (2 * length);
  return within < length ? within : 2 * length - 1 - within;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}
