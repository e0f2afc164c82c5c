import { onnxSession } from '../../../models/core/inference/onnx-session.ts';
import type { Provider, ProviderSession } from '../../../models/core/inference/provider-chain.ts';
import { loadOnnx, type OnnxBuild } from './onnx.ts';

export interface OnnxProviderOptions {
  /** Display name. */
  readonly name: string;
  readonly build: OnnxBuild;
  readonly executionProvider: 'webgpu' | 'wasm';
  readonly threadCount: number;
  readonly readWeights: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Creates the onnxruntime provider of this worker. A run can be aborted only by terminating the worker. */
export function onnxProvider(options: OnnxProviderOptions): Provider {
  const { name, build, executionProvider, threadCount, readWeights } = options;
  return {
    name,
    async open(signal) {
      const [weights, onnx] = await Promise.all([
        readWeights(signal),
        loadOnnx(build, threadCount, { signal, onProgress: () => {} }),
      ]);
      const opened = await serialize(() =>
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

/** Chains runs with all other calls, and fails them when the GPU device is lost: onnxruntime would wait for ever. */
function chained(session: ProviderSession, device: GPUDevice | null): ProviderSession {
  const lost = device?.lost.then(({ message }) => {
    throw new Error(`the GPU device was lost: ${message}`);
  });
  lost?.catch(() => {});
  return {
    ...session,
    run: (...given) => serialize(() => Promise.race([session.run(...given), ...(lost ? [lost] : [])])),
    release: () => serialize(() => session.release()),
  };
}

let turn: Promise<unknown> = Promise.resolve();

/** Chains calls: onnxruntime-web fails on concurrent ones. */
function serialize<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = turn.then(work);
  turn = result.catch(() => {});
  return result;
}
