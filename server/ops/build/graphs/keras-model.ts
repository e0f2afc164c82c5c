/** Layer of a Keras model in the format of TensorFlow.js, with the settings that the converter reads. */
export interface KerasLayer {
  readonly name: string;
  readonly class_name: string;
  readonly config: {
    readonly batch_input_shape?: readonly (number | null)[];
    readonly strides?: readonly number[];
    readonly pool_size?: readonly number[];
    /** `same` or `valid` for a convolution or pooling; for ZeroPadding2D the rows and columns added on each side. */
    readonly padding?: string | readonly (readonly number[])[];
    readonly activation?: string;
    readonly use_bias?: boolean;
    readonly epsilon?: number;
    readonly max_value?: number | null;
  };
  /** Sources of each use of the layer: name of a layer first. */
  readonly inbound_nodes: readonly (readonly (readonly [string, ...unknown[]])[])[];
}

/** Tensor quantised to bytes: `value = byte * scale + min`. */
export interface QuantizedTensor {
  readonly dims: readonly number[];
  readonly bytes: Uint8Array;
  readonly scale: number;
  readonly min: number;
}

export interface KerasModel {
  /** In an order in which each layer follows its sources. */
  readonly layers: readonly KerasLayer[];
  readonly weights: ReadonlyMap<string, QuantizedTensor>;
}

/** `model.json` of TensorFlow.js. */
export interface KerasManifest {
  readonly modelTopology: {
    readonly model_config: { readonly config: { readonly layers: readonly KerasLayer[] } };
  };
  readonly weightsManifest: readonly {
    readonly weights: readonly {
      readonly name: string;
      readonly shape: readonly number[];
      readonly quantization?: { readonly min: number; readonly scale: number; readonly dtype: string };
    }[];
  }[];
}

/**
 * Assembles a model from its manifest and the bytes of its weights, which follow each other in the manifest's order.
 * @throws RangeError when a tensor is not quantised to bytes, or the bytes do not suffice
 */
export function assembleKerasModel(manifest: KerasManifest, bytes: Uint8Array): KerasModel {
  const weights = new Map<string, QuantizedTensor>();
  let offset = 0;
  for (const { name, shape, quantization } of manifest.weightsManifest.flatMap((group) => group.weights)) {
    if (quantization?.dtype !== 'uint8') throw new RangeError(`${name}: is not quantised to bytes`);
    const length = shape.reduce((product, size) => product * size, 1);
    const { scale, min } = quantization;
    weights.set(name, { dims: [...shape], bytes: bytes.subarray(offset, offset + length), scale, min });
    offset += length;
  }
  if (offset !== bytes.length) throw new RangeError(`${bytes.length} bytes for weights of ${offset} bytes`);
  return { layers: manifest.modelTopology.model_config.config.layers, weights };
}

/** Returns the numbers that a tensor stands for. */
export function dequantize({ bytes, scale, min }: QuantizedTensor): Float32Array {
  return Float32Array.from(bytes, (byte) => byte * scale + min);
}
