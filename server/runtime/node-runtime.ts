import { NO_NETWORKS } from '../../models/inference/no-networks.ts';
import type { Inference } from '../../models/inference.ts';
import type { Runtime } from '../../models/runtime.ts';
import { createImageCodec } from './image-codec/index.ts';
import { createVideoCodec } from './video/index.ts';

export interface NodeRuntimeOptions {
  readonly signal: AbortSignal;
  /** Outlives the runtime, so that its sessions stay warm from run to run; none when absent. */
  readonly inference?: Inference;
  readonly attachments?: ReadonlyMap<string, Blob>;
  /** Never falling. */
  readonly onProgress?: Runtime['progress'];
}

/** The port of the operations, in a Node process. Meant for a child that can be killed: codecs block and may crash. */
export function createNodeRuntime(options: NodeRuntimeOptions): Runtime {
  const { signal, inference = NO_NETWORKS, attachments = new Map(), onProgress } = options;
  let reached = 0;
  return {
    images: createImageCodec(),
    video: createVideoCodec(),
    inference,
    attachments,
    signal,
    progress(fraction, count) {
      reached = Math.max(reached, Math.min(1, fraction));
      onProgress?.(reached, count);
    },
  };
}
