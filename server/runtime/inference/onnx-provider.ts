import { onnxSession } from '../../../models/core/inference/onnx-session.ts';
import type { Provider } from '../../../models/core/inference/provider-chain.ts';

/**
 * Creates the onnxruntime provider of this process. A run blocks the event loop for its whole length and cannot be
 * aborted, so it belongs into a child that can be killed.
 * @param executionProvider as onnxruntime names it: `cpu`
 * @param keepsMemory whether a session keeps the memory of a run for its next one
 */
export function onnxProvider(
  executionProvider: string,
  readWeights: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>,
  keepsMemory = true,
): Provider {
  return {
    name: executionProvider,
    async open(signal) {
      // A process without models never loads the library.
      const { InferenceSession, Tensor } = await import('onnxruntime-node');
      const session = await InferenceSession.create(await readWeights(signal), {
        executionProviders: [executionProvider],
        logSeverityLevel: 4,
        enableCpuMemArena: keepsMemory,
        // Threads that wait in a loop take the cores from the other runs of the machine.
        extra: { session: { intra_op: { allow_spinning: '0' } } },
      });
      return onnxSession(session, (type, data, dims) => new Tensor(type, data, dims));
    },
  };
}
