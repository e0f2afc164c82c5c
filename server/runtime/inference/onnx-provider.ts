import type { InferenceSession, Tensor as OnnxTensor } from 'onnxruntime-node';
import type { Provider, ProviderSession } from '../../../models/inference/provider-chain.ts';
import { isTensorType, type Tensor, type TensorPort, tensorOf } from '../../../models/tensor.ts';

/**
 * onnxruntime in this process. A run blocks the event loop for its whole length and cannot be broken off, so it
 * belongs into a child that can be killed.
 * @param executionProvider as onnxruntime names it: `cpu`
 */
export function onnxProvider(
  executionProvider: string,
  readWeights: (signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>,
): Provider {
  return {
    name: executionProvider,
    async open(signal) {
      // A process that runs no network never loads the library.
      const onnx = await import('onnxruntime-node');
      const session = await onnx.InferenceSession.create(await readWeights(signal), {
        executionProviders: [executionProvider],
        logSeverityLevel: 4,
      });
      return providerSession(session, onnx);
    },
  };
}

type Onnx = typeof import('onnxruntime-node');

function providerSession(session: InferenceSession, onnx: Onnx): ProviderSession {
  return {
    inputs: session.inputMetadata.map(portOf),
    outputs: session.outputMetadata.map(portOf),
    async run(feeds) {
      const given = Object.entries(feeds).map(([name, tensor]) => [name, toOnnx(tensor, onnx)] as const);
      const results = await session.run(Object.fromEntries(given));
      return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, fromOnnx(tensor)]));
    },
    release: () => session.release(),
  };
}

function portOf(metadata: InferenceSession.ValueMetadata): TensorPort {
  if (!metadata.isTensor || !isTensorType(metadata.type)) {
    throw new RangeError(`${metadata.name} is of a type that is not supported`);
  }
  const dims = metadata.shape.map((size) => (typeof size === 'number' && size >= 0 ? size : null));
  return { name: metadata.name, type: metadata.type, dims };
}

function toOnnx({ type, data, dims }: Tensor, onnx: Onnx): OnnxTensor {
  return new onnx.Tensor(type, data, dims);
}

function fromOnnx({ type, data, dims }: OnnxTensor): Tensor {
  if (!isTensorType(type) || !ArrayBuffer.isView(data)) {
    throw new RangeError(`an output of type ${type} is not supported`);
  }
  return tensorOf(type, dims, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}
