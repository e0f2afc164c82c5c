import { vi } from 'vitest';

/** Counts the floats of all arrays that a call allocates; views of an array are none. */
export async function countFloats(act: () => unknown): Promise<number> {
  let count = 0;
  const Counted = new Proxy(Float32Array, {
    construct(target, args, newTarget) {
      if (typeof args[0] === 'number') count += args[0];
      return Reflect.construct(target, args, newTarget);
    },
  });
  vi.stubGlobal('Float32Array', Counted);
  try {
    await act();
  } finally {
    vi.unstubAllGlobals();
  }
  return count;
}
