import { expect, it } from 'vitest';
import {
  convertTfliteToOnnx,
  readTfliteModel,
  type TfliteModel,
  type TfliteOperator,
} from '../../../server/ops/build/graphs/tflite-to-onnx.ts';

const NONE = new Uint8Array();

/** Model of one operator from an image of 4x4 pixels to another, with a kernel of 32-bit floats. */
function modelOf(operator: Partial<TfliteOperator>): TfliteModel {
  const image = { dims: [1, 4, 4, 3], type: 'float32', bytes: NONE } as const;
  return {
    tensors: [
      { ...image, name: 'image' },
      { ...image, name: 'result' },
      { name: 'kernel', dims: [3, 1, 1, 3], type: 'float32', bytes: new Uint8Array(36) },
    ],
    operators: [{ kind: 'RELU', inputs: [0, 2, 2], outputs: [1], settings: {}, ...operator }],
    inputs: [0],
  };
}

const convert = (operator: Partial<TfliteOperator>) =>
  convertTfliteToOnnx(modelOf(operator), { input: 'x', outputs: { result: 'y' }, prefix: 'part/' });

it.each<[string, Partial<TfliteOperator>, string]>([
  ['an operator', { kind: 'number 40' }, 'y: operators of the kind number 40 cannot be converted'],
  ['a fused activation', { settings: { isActivated: true } }, 'y: has a fused activation'],
  ['weights of 32 bits', { kind: 'CONV_2D' }, 'kernel: is no constant of 16-bit floats'],
  ['dilation', { kind: 'CONV_2D', settings: { dilations: [2, 2] } }, 'y: is dilated'],
  ['a constant image', { inputs: [2] }, 'kernel: is a constant where an image is expected'],
  ['a part of an image', { kind: 'AVERAGE_POOL_2D', settings: { window: [2, 2] } }, 'y: averages parts'],
  ['aligned corners', { kind: 'RESIZE_BILINEAR', settings: { isHalfPixel: false } }, 'y: aligns samples'],
])('refuses %s that it does not know', (_what, operator, problem) => {
  expect(() => convert(operator)).toThrow(problem);
});

it('refuses an output that the model does not have', () => {
  const ends = { input: 'x', outputs: { other: 'y' }, prefix: 'part/' };
  expect(() => convertTfliteToOnnx(modelOf({}), ends)).toThrow('other: is missing');
});

it('refuses a file of another format', () => {
  expect(() => readTfliteModel(new TextEncoder().encode('a text of no format'))).toThrow(
    'the file is no TensorFlow Lite model',
  );
});
