import { onnxSession } from '../../../models/inference/onnx-session.ts';
import type { Provider, ProviderSession } from '../../../models/inference/provider-chain.ts';
import { loadOnnx, type OnnxBuild } from './onnx.ts';

export interface OnnxProviderOptions {
  /** As users see it. */
  readonly name: string;
  readonly build: OnnxBuild;
  readonly executionProvider: 'webgpu' | 'wasm';
  readonly threadCount: number;
  readonly readWeights: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
}

/** onnxruntime in this worker. A run cannot be broken off but by ending the worker. */
export function onnxProvider(options: OnnxProviderOptions): Provider {
  const { name, build, executionProvider, threadCount, readWeights } = options;
  return {
    name,
    async open(signal) {
      const [weights, onnx] = await Promise.all([
        readWeights(signal),
        loadOnnx(build, threadCount, { signal, onProgress: () => {} }),
      ]);
      const opened = await inTurn(() =>
        onnx.InferenceSession.create(weights, {
          executionProviders: [executionProvider],
          logSeverityLevel: 4,
        }),
      );
      const session = onnxSession(opened, (type, data, dims) => new onnx.Tensor(type, data, dims));
      return chained(session, executionProvider === 'webgpu' ? await onnx.env.webgpu.device : null);
    },
  };
}

/** Runs take turns with all else, and end when the graphics card goes away: onnxruntime would wait for it for ever. */
function chained(session: ProviderSession, device: GPUDevice | null): ProviderSession {
  const lost = device?.lost.then(({ message }) => {
    throw new Error(`the graphics card is gone: ${message}`);
  });
  lost?.catch(() => {});
  return {
    ...session,
    run: (feeds, signal) => inTurn(() => Promise.race([session.run(feeds, signal), ...(lost ? [lost] : [])])),
    release: () => inTurn(() => session.release()),
  };
}

let turn: Promise<unknown> = Promise.resolve();

/** onnxruntime-web does one thing at a time; whatever overlaps fails. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = turn.then(work);
  turn = result.catch(() => {});
  return result;
}
