import { expect, it } from 'vitest';
import { floatTensor } from '../../../models/core/runtime/tensor.ts';
import {
  bytes,
  encodeOnnxModel,
  fieldsOf,
  type GraphNode,
  joinOnnxModels,
  message,
  text,
  varint,
} from '../../../server/ops/build/graphs/onnx.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

const port = (name: string) => ({ name, type: 'float32', dims: [1, 2] }) as const;
const modelOf = (inputs: readonly string[], nodes: readonly GraphNode[], output: string) =>
  encodeOnnxModel({
    inputs: inputs.map(port),
    outputs: [port(output)],
    nodes,
    constants: { [`${output}/three`]: { dims: [], values: [3] } },
  });

const TRIPLE = modelOf(
  ['image'],
  [{ op: 'Mul', inputs: ['image', 'said/three'], outputs: ['said'] }],
  'said',
);
const LESS = modelOf(
  ['image', 'said'],
  [{ op: 'Sub', inputs: ['said', 'image'], outputs: ['alpha'] }],
  'alpha',
);

it("feeds the first model's output to the second, and both with the image", async () => {
  const { signal } = new AbortController();
  const session = await onnxProvider('cpu', async () => joinOnnxModels(TRIPLE, LESS)).open(signal);
  expect(session.inputs.map(({ name }) => name)).toEqual(['image']);
  expect(session.outputs.map(({ name }) => name)).toEqual(['alpha']);
  const { alpha } = await session.run(
    { image: floatTensor('float32', [1, 2], new Float32Array([2, 5])) },
    signal,
  );
  expect(alpha?.data).toEqual(new Float32Array([4, 10]));
  await session.release();
});

it('joins models that both leave out outputs of nodes', () => {
  const split = (from: string, to: string) => ({ op: 'Dropout', inputs: [from], outputs: [to, ''] });
  const first = modelOf(['image'], [split('image', 'said')], 'said');
  expect(() =>
    joinOnnxModels(first, modelOf(['image', 'said'], [split('said', 'alpha')], 'alpha')),
  ).not.toThrow();
});

it('gives the same bytes for the same models', () => {
  expect(joinOnnxModels(TRIPLE, LESS)).toEqual(joinOnnxModels(TRIPLE, LESS));
});

it('refuses models that do not fit', () => {
  const other = modelOf(['image'], [{ op: 'Neg', inputs: ['image'], outputs: ['alpha'] }], 'alpha');
  expect(() => joinOnnxModels(TRIPLE, other)).toThrow('said: is no input of the second model');

  const twice = modelOf(
    ['image', 'said'],
    [{ op: 'Neg', inputs: ['image'], outputs: ['said/three'] }],
    'said/three',
  );
  expect(() => joinOnnxModels(TRIPLE, twice)).toThrow('said/three: is a tensor of both models');

  const neg = (from: string, to: string) => ({ op: 'Neg', inputs: [from], outputs: [to] });
  const inner = modelOf(['image'], [neg('image', 'inner'), neg('inner', 'said')], 'said');
  const asked = modelOf(['said', 'inner'], [neg('inner', 'alpha')], 'alpha');
  expect(() => joinOnnxModels(inner, asked)).toThrow('inner: is a tensor of both models');
  const computed = modelOf(['said'], [neg('said', 'image'), neg('image', 'alpha')], 'alpha');
  expect(() => joinOnnxModels(inner, computed)).toThrow('image: is a tensor of both models');

  const newer = message(
    ...fieldsOf(LESS).map(({ number, raw }) => (number === 8 ? bytes(8, varint(2, 17)) : raw)),
  );
  expect(() => joinOnnxModels(TRIPLE, newer)).toThrow('the operator sets of the models differ');

  expect(() => joinOnnxModels(TRIPLE, new Uint8Array())).toThrow('the model has no graph');
  expect(() => joinOnnxModels(TRIPLE, LESS.subarray(0, -3))).toThrow('the message ends within a field');
});

it('refuses nested graphs, whose names it would not see', () => {
  const branch = bytes(5, message(text(1, 'then_branch'), bytes(6, text(2, 'nested')), varint(20, 5)));
  const node = bytes(1, message(text(2, 'alpha'), text(4, 'If'), branch));
  const fields = fieldsOf(LESS).map(({ number, value, raw }) =>
    number === 7 ? bytes(7, message(value, node)) : raw,
  );
  expect(() => joinOnnxModels(TRIPLE, message(...fields))).toThrow(
    'the model has functions or nested graphs',
  );
});
