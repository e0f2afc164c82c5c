import { getTensor, isTensorType, type Tensor, type TensorSpec, type TensorType } from '../runtime/tensor.ts';
import type { ProviderSession } from './provider-chain.ts';

/** Common interface of onnxruntime's packages for Node and for browsers. */
interface OnnxSession<OnnxTensor> {
  readonly inputMetadata: readonly OnnxMetadata[];
  readonly outputMetadata: readonly OnnxMetadata[];
  run(
    feeds: Record<string, OnnxTensor>,
    wanted: readonly string[],
  ): Promise<Readonly<Record<string, OnnxTensor>>>;
  release(): Promise<void>;
}

type OnnxMetadata =
  | { readonly name: string; readonly isTensor: false }
  | {
      readonly name: string;
      readonly isTensor: true;
      readonly type: string;
      readonly shape: readonly (number | string)[];
    };

interface OnnxTensorData {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
}

type MakeTensor<OnnxTensor> = (type: TensorType, data: Tensor['data'], dims: readonly number[]) => OnnxTensor;

/**
 * Adapts an onnxruntime session to the port.
 * @throws RangeError when the graph takes or returns something other than a tensor, or a tensor of an unsupported
 *   type
 */
export function onnxSession<OnnxTensor extends OnnxTensorData>(
  session: OnnxSession<OnnxTensor>,
  makeTensor: MakeTensor<OnnxTensor>,
): ProviderSession {
  return {
    inputs: session.inputMetadata.map(getPort),
    outputs: session.outputMetadata.map(getPort),
    async run(feeds, _signal, wanted = session.outputMetadata.map(({ name }) => name)) {
      const given = Object.entries(feeds).map(
        ([name, { type, data, dims }]) => [name, makeTensor(type, data, dims)] as const,
      );
      const results = await session.run(Object.fromEntries(given), wanted);
      return Object.fromEntries(Object.entries(results).map(([name, tensor]) => [name, fromOnnx(tensor)]));
    },
    release: () => session.release(),
  };
}

function getPort(metadata: OnnxMetadata): TensorSpec {
  if (!metadata.isTensor || !isTensorType(metadata.type)) {
    throw new RangeError(`${metadata.name} has an unsupported type`);
  }
  const dims = metadata.shape.map((size) => (typeof size === 'number' && size >= 0 ? size : null));
  return { name: metadata.name, type: metadata.type, dims };
}

function fromOnnx({ type, data, dims }: OnnxTensorData): Tensor {
  if (!isTensorType(type) || !ArrayBuffer.isView(data)) {
    throw new RangeError(`an output of type ${type} is not supported`);
  }
  return getTensor(type, dims, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}
