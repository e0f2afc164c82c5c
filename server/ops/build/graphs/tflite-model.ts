import { FlatTable } from './flat-table.ts';

/** Tensor of a TensorFlow Lite model: images have their channels last. */
export interface TfliteTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly type: 'float32' | 'float16' | 'int32' | 'other';
  /** Values of a constant, little-endian; empty for what a run computes. */
  readonly bytes: Uint8Array;
}

/** Options of an operator that the converter reads. Heights come before widths. */
export interface TfliteSettings {
  readonly padding?: 'same' | 'valid';
  readonly strides?: readonly [number, number];
  readonly dilations?: readonly [number, number];
  /** Rows and columns that pooling takes together. */
  readonly window?: readonly [number, number];
  /** Outputs for each input of a depthwise convolution. */
  readonly multiplier?: number;
  /** Whether an activation is fused into the operator. */
  readonly isActivated?: boolean;
  /** Whether a resize places samples at the pixels' centres, without aligning the corners. */
  readonly isHalfPixel?: boolean;
}

export interface TfliteOperator {
  /** Name of a built-in operator in the schema, or of a custom one. */
  readonly kind: string;
  /** Numbers of tensors. */
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly settings: TfliteSettings;
}

export interface TfliteModel {
  readonly tensors: readonly TfliteTensor[];
  /** In an order in which each operator follows its sources. */
  readonly operators: readonly TfliteOperator[];
  readonly inputs: readonly number[];
}

const TENSOR_TYPES = ['float32', 'float16', 'int32'] as const;
const CUSTOM = 32;
/** Numbers of built-in operators, as the schema of TensorFlow Lite gives them. */
const BUILT_IN: Readonly<Record<number, string>> = {
  0: 'ADD',
  1: 'AVERAGE_POOL_2D',
  3: 'CONV_2D',
  4: 'DEPTHWISE_CONV_2D',
  6: 'DEQUANTIZE',
  14: 'LOGISTIC',
  18: 'MUL',
  19: 'RELU',
  23: 'RESIZE_BILINEAR',
  117: 'HARD_SWISH',
};

/**
 * Reads a TensorFlow Lite model of one graph.
 * @throws RangeError for a file of another format
 */
export function readTfliteModel(file: Uint8Array): TfliteModel {
  if (Buffer.from(file.subarray(4, 8)).toString('latin1') !== 'TFL3')
    throw new RangeError('the file is no TensorFlow Lite model');
  const model = FlatTable.open(file);
  const [graph] = model.tables(2);
  if (!graph) throw new RangeError('the model has no graph');
  const kinds = model.tables(1).map(kindOf);
  const buffers = model.tables(4);
  return {
    tensors: graph.tables(0).map((tensor) => ({
      name: tensor.text(3),
      dims: tensor.ints(0),
      type: TENSOR_TYPES[tensor.byte(1)] ?? 'other',
      bytes: buffers[tensor.int(2)]?.bytes(0) ?? new Uint8Array(),
    })),
    operators: graph.tables(3).map((operator) => {
      const kind = kinds[operator.int(0)] ?? '';
      const [inputs, outputs] = [operator.ints(1), operator.ints(2)];
      return { kind, inputs, outputs, settings: settingsOf(kind, operator) };
    }),
    inputs: graph.ints(1),
  };
}

/** Returns the kind of an operator's code. Files of before 2021 have the number in a byte only, which is field 0. */
function kindOf(code: FlatTable): string {
  const number = Math.max(code.byte(0), code.int(3));
  return number === CUSTOM ? code.text(1) : (BUILT_IN[number] ?? `number ${number}`);
}

function settingsOf(kind: string, operator: FlatTable): TfliteSettings {
  const custom = operator.bytes(5);
  // MediaPipe's operator has the options of TRANSPOSE_CONV as they lie in memory: padding from 1, width and height.
  if (kind === 'Convolution2DTransposeBias') {
    const [padding = 0, width = 1, height = 1] = intsOf(custom);
    return { padding: padding === 1 ? 'same' : 'valid', strides: [height, width] };
  }
  const options = operator.table(4);
  if (!options) return {};
  const padding = options.byte(0) === 0 ? 'same' : 'valid';
  const strides = [options.int(2), options.int(1)] as const;
  switch (kind) {
    case 'CONV_2D': {
      const dilations = [options.int(5, 1), options.int(4, 1)] as const;
      return { padding, strides, dilations, isActivated: options.byte(3) !== 0 };
    }
    case 'DEPTHWISE_CONV_2D': {
      const dilations = [options.int(6, 1), options.int(5, 1)] as const;
      const [multiplier, isActivated] = [options.int(3), options.byte(4) !== 0];
      return { padding, strides, dilations, multiplier, isActivated };
    }
    case 'AVERAGE_POOL_2D':
      return { window: [options.int(4), options.int(3)], isActivated: options.byte(5) !== 0 };
    case 'ADD':
    case 'MUL':
      return { isActivated: options.byte(0) !== 0 };
    case 'RESIZE_BILINEAR':
      return { isHalfPixel: options.byte(2) === 0 && options.byte(3) === 1 };
    default:
      return {};
  }
}

/** Returns the signed numbers of 32 bits in little-endian bytes. */
function intsOf(bytes: Uint8Array): readonly number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: bytes.length >> 2 }, (_, at) => view.getInt32(4 * at, true));
}
