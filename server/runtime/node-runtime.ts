import type { Runtime } from '../../models/runtime.ts';
import { createImageCodec } from './image-codec/index.ts';

export interface NodeRuntimeOptions {
  readonly signal: AbortSignal;
  /** @param fraction 0 to 1, never falling */
  readonly onProgress?: (fraction: number) => void;
}

/** The port of the operations, in a Node process. Meant for a child that can be killed: codecs block and may crash. */
export function createNodeRuntime({ signal, onProgress }: NodeRuntimeOptions): Runtime {
  let reached = 0;
  return {
    images: createImageCodec(),
    signal,
    progress(fraction) {
      reached = Math.max(reached, Math.min(1, fraction));
      onProgress?.(reached);
    },
  };
}
