import {
  BATCH_TILES,
  BLOCK_TILES,
  BLOCK_VECTORS,
  INPUTS,
  PAGES_MAX,
  PLACE_BYTES,
  PRODUCTS,
} from '../../workers/runtime/convolution/kernel-sizes.ts';

/** Bytes between rows of a tile in half of a transform. */
const ROW = 6 * 16;

/** Makes the expression of a product and a sum: `one * other + sum`. */
type MultiplyAdd = (one: string, other: string, sum: string) => string;

const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => write(index)).join('\n');
const get = (name: string) => `(local.get $${name})`;
const set = (name: string, value: string) => `(local.set $${name} ${value})`;
const integer = (value: number) => `(i32.const ${value})`;
const sum = (one: string, other: string | number) =>
  `(i32.add ${one} ${typeof other === 'number' ? integer(other) : other})`;
const product = (one: string, other: string | number) =>
  `(i32.mul ${one} ${typeof other === 'number' ? integer(other) : other})`;
const advance = (name: string, by: string | number) => set(name, sum(get(name), by));
const every = (value: number) => `(v128.const f32x4 ${value} ${value} ${value} ${value})`;
const add = (one: string, other: string) => `(f32x4.add ${one} ${other})`;
const subtract = (one: string, other: string) => `(f32x4.sub ${one} ${other})`;
const load = (address: string, offset = 0) => `(v128.load offset=${offset} ${address})`;
const store = (address: string, offset: number, value: string) =>
  `(v128.store offset=${offset} ${address} ${value})`;
const splat = (address: string, offset = 0) => `(v128.load32_splat offset=${offset} ${address})`;
const params = (...names: readonly string[]) => names.map((name) => `(param $${name} i32)`).join(' ');
const locals = (type: 'i32' | 'v128', ...names: readonly string[]) =>
  names.map((name) => `(local $${name} ${type})`).join(' ');
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`);

/** Repeats a body at least once, while a counter from 0 is below an end. */
const repeat = (counter: string, end: string, body: string) => `
  ${set(counter, integer(0))}
  (loop $${counter}
    ${body}
    ${advance(counter, 1)}
    (br_if $${counter} (i32.lt_u ${get(counter)} ${end})))`;

/**
 * Writes the WebAssembly text of the convolution kernel: 3 x 3 convolutions by the minimal algorithm F(4 x 4, 3 x 3)
 * (Lavin and Gray, "Fast algorithms for convolutional neural networks", CVPR 2016). A tile of 6 x 6 inputs becomes 4 x 4
 * outputs: both go through transforms of additions, between which each of the 36 places is a product of matrices, with a
 * quarter of the multiplications that the sums themselves need.
 *
 * Samples are 32-bit floats with their channels innermost, in groups of four: a vector. Tiles are taken in blocks whose
 * products stay in registers, and in batches whose transforms stay in a cache. The module imports a shared memory; its
 * exports are those of `Kernel`.
 * @param isFused whether a product and its sum are one instruction, of relaxed SIMD, which rounds once
 */
export function kernelText(isFused: boolean): string {
  const multiplyAdd: MultiplyAdd = (one, other, more) =>
    isFused ? `(f32x4.relaxed_madd ${one} ${other} ${more})` : add(`(f32x4.mul ${one} ${other})`, more);
  return `(module
    (import "env" "memory" (memory 1 ${PAGES_MAX} shared))
    ${transformInput(multiplyAdd)}
    ${multiplyBlock(multiplyAdd)}
    ${multiplyBatch()}
    ${transformOutput(multiplyAdd)}
    ${convolveRow()}
    ${enlargeRow('enlargeTwice', 1, multiplyAdd)}
    ${enlargeRow('enlargeFourfold', 4, multiplyAdd)})`;
}

const SIX = numbered('x', 6);
const HALVES = ['a', 'b', 'c', 'd'];

/** Transforms `x0` to `x5` by the algorithm's Bᵀ. */
function inputTransform(multiplyAdd: MultiplyAdd): { readonly before: string; readonly values: string[] } {
  const [x0, x1, x2, x3, x4, x5] = SIX.map(get) as [string, string, string, string, string, string];
  return {
    before: [
      set('a', multiplyAdd(x2, every(-4), x4)),
      set('b', multiplyAdd(x1, every(-4), x3)),
      set('c', subtract(x4, x2)),
      set('d', subtract(x3, x1)),
    ].join('\n'),
    values: [
      multiplyAdd(subtract(x0, x2), every(4), get('c')),
      add(get('a'), get('b')),
      subtract(get('a'), get('b')),
      multiplyAdd(get('d'), every(2), get('c')),
      multiplyAdd(get('d'), every(-2), get('c')),
      multiplyAdd(get('d'), every(-4), subtract(x5, x3)),
    ],
  };
}

/** Transforms `x0` to `x5` by the algorithm's Aᵀ. */
function outputTransform(multiplyAdd: MultiplyAdd): { readonly before: string; readonly values: string[] } {
  const [x0, x1, x2, x3, x4, x5] = SIX.map(get) as [string, string, string, string, string, string];
  return {
    before: [
      set('a', add(x1, x2)),
      set('b', subtract(x1, x2)),
      set('c', add(x3, x4)),
      set('d', subtract(x3, x4)),
    ].join('\n'),
    values: [
      add(add(x0, get('a')), get('c')),
      multiplyAdd(get('d'), every(2), get('b')),
      multiplyAdd(get('c'), every(4), get('a')),
      add(multiplyAdd(get('d'), every(8), get('b')), x5),
    ],
  };
}

/** Transforms one tile of a map: columns into scratch memory, then rows to their places in the batch. */
function transformInput(multiplyAdd: MultiplyAdd): string {
  const { before, values } = inputTransform(multiplyAdd);
  return `(func $transformInput ${params('from', 'row', 'step', 'groups', 'to', 'scratch')}
    ${locals('i32', 'group', 'column', 'at', 'below', 'half')} ${locals('v128', ...SIX, ...HALVES)}
    ${repeat(
      'group',
      get('groups'),
      `${set('at', get('from'))}
      ${set('half', get('scratch'))}
      ${repeat(
        'column',
        integer(6),
        `${set('below', get('at'))}
        ${SIX.map((x, row) => `${row > 0 ? advance('below', get('row')) : ''} ${set(x, load(get('below')))}`).join('\n')}
        ${before}
        ${values.map((value, row) => store(get('half'), row * ROW, value)).join('\n')}
        ${advance('half', 16)}
        ${advance('at', get('step'))}`,
      )}
      ${times(
        6,
        (row) => `${SIX.map((x, column) => set(x, load(get('scratch'), row * ROW + column * 16))).join('\n')}
        ${before}
        ${values.map((value, column) => store(get('to'), (row * 6 + column) * PLACE_BYTES, value)).join('\n')}`,
      )}
      ${advance('from', 16)}
      ${advance('to', BLOCK_TILES * 16)}`,
    )})`;
}

/** Multiplies a block of tiles by the weights of a few vectors of outputs, at one place. */
function multiplyBlock(multiplyAdd: MultiplyAdd): string {
  const sums = numbered('sum', BLOCK_TILES * BLOCK_VECTORS);
  const weights = numbered('weight', BLOCK_VECTORS);
  return `(func $multiplyBlock ${params('tiles', 'weights', 'to', 'groups')}
    ${locals('i32', 'group')} ${locals('v128', 'input', ...sums, ...weights)}
    ${repeat(
      'group',
      get('groups'),
      `${times(
        4,
        (channel) => `
        ${weights.map((name, at) => set(name, load(get('weights'), (channel * BLOCK_VECTORS + at) * 16))).join('\n')}
        ${times(
          BLOCK_TILES,
          (tile) => `${set('input', splat(get('tiles'), tile * 16 + channel * 4))}
          ${weights
            .map((name, at) => {
              const into = `sum${at * BLOCK_TILES + tile}`;
              return set(into, multiplyAdd(get('input'), get(name), get(into)));
            })
            .join('\n')}`,
        )}`,
      )}
      ${advance('tiles', BLOCK_TILES * 16)}
      ${advance('weights', BLOCK_VECTORS * 64)}`,
    )}
    ${sums.map((name, at) => store(get('to'), at * 16, get(name))).join('\n')})`;
}

/** Multiplies a batch of tiles by all weights, place by place. */
function multiplyBatch(): string {
  return `(func $multiplyBatch ${params('inputs', 'weights', 'products', 'groups', 'parts', 'blocks')}
    ${locals('i32', 'place', 'part', 'block', 'tiles', 'to')}
    ${repeat(
      'place',
      integer(36),
      `${repeat(
        'part',
        get('parts'),
        `${set('tiles', get('inputs'))}
        ${set('to', sum(get('products'), product(get('part'), BLOCK_TILES * BLOCK_VECTORS * 16)))}
        ${repeat(
          'block',
          get('blocks'),
          `(call $multiplyBlock ${get('tiles')} ${get('weights')} ${get('to')} ${get('groups')})
          ${advance('tiles', product(get('groups'), BLOCK_TILES * 16))}
          ${advance('to', product(get('parts'), BLOCK_TILES * BLOCK_VECTORS * 16))}`,
        )}
        ${advance('weights', product(get('groups'), BLOCK_VECTORS * 64))}`,
      )}
      ${advance('inputs', PLACE_BYTES)}
      ${advance('products', PLACE_BYTES)}`,
    )})`;
}

/** Transforms one tile's products, and adds the bias and up to two residuals: maps of the output's own layout. */
function transformOutput(multiplyAdd: MultiplyAdd): string {
  const { before, values } = outputTransform(multiplyAdd);
  const addResidual = (number: number, distance: string) =>
    `(if (i32.gt_u ${get('residuals')} ${integer(number)})
      (then ${set('value', add(get('value'), load(sum(get('at'), get(distance)))))}))`;
  return `(func $transformOutput
    ${params('products', 'to', 'row', 'step', 'groups', 'bias', 'residuals', 'first', 'second')} (param $slope f32)
    ${params('scratch')}
    ${locals('i32', 'group', 'line', 'half', 'below', 'at')}
    ${locals('v128', ...SIX, ...HALVES, 'value', 'biases', 'slopes')}
    ${set('slopes', `(f32x4.splat ${get('slope')})`)}
    ${repeat(
      'group',
      get('groups'),
      `${times(
        6,
        (
          column,
        ) => `${SIX.map((x, row) => set(x, load(get('products'), (row * 6 + column) * PLACE_BYTES))).join('\n')}
        ${before}
        ${values.map((value, row) => store(get('scratch'), row * ROW + column * 16, value)).join('\n')}`,
      )}
      ${set('biases', load(get('bias')))}
      ${set('half', get('scratch'))}
      ${set('below', get('to'))}
      ${repeat(
        'line',
        integer(4),
        `${SIX.map((x, column) => set(x, load(get('half'), column * 16))).join('\n')}
        ${before}
        ${set('at', get('below'))}
        ${values
          .map(
            (value) => `${set('value', add(value, get('biases')))}
            ${addResidual(0, 'first')}
            ${addResidual(1, 'second')}
            ${store(get('at'), 0, `(f32x4.pmax ${get('value')} (f32x4.mul ${get('value')} ${get('slopes')}))`)}
            ${advance('at', get('step'))}`,
          )
          .join('\n')}
        ${advance('half', ROW)}
        ${advance('below', get('row'))}`,
      )}
      ${advance('products', BLOCK_TILES * 16)}
      ${advance('to', 16)}
      ${advance('bias', 16)}`,
    )})`;
}

/** Convolves a row of tiles, batch by batch. */
function convolveRow(): string {
  // Values of a tile lie between those of the other tiles of its block, group by group.
  const placeOf = (start: number, groups: string) =>
    sum(
      sum(get('scratch'), start),
      product(
        sum(
          product(product(`(i32.div_u ${get('tile')} ${integer(BLOCK_TILES)})`, groups), BLOCK_TILES),
          `(i32.rem_u ${get('tile')} ${integer(BLOCK_TILES)})`,
        ),
        16,
      ),
    );
  return `(func (export "convolveRow")
    ${params('from', 'fromRow', 'fromStep', 'fromGroups', 'to', 'toRow', 'toStep', 'toGroups')}
    ${params('weights', 'bias', 'residuals', 'first', 'second')} (param $slope f32) ${params('tiles', 'scratch')}
    ${locals('i32', 'count', 'tile', 'parts')}
    ${set('parts', `(i32.div_u ${sum(get('toGroups'), BLOCK_VECTORS - 1)} ${integer(BLOCK_VECTORS)})`)}
    (loop $batch
      ${set('count', `(select ${integer(BATCH_TILES)} ${get('tiles')} (i32.gt_u ${get('tiles')} ${integer(BATCH_TILES)}))`)}
      ${repeat(
        'tile',
        get('count'),
        `(call $transformInput ${['from', 'fromRow', 'fromStep', 'fromGroups'].map(get).join(' ')}
          ${placeOf(INPUTS, get('fromGroups'))} ${get('scratch')})
        ${advance('from', product(get('fromStep'), 4))}`,
      )}
      (call $multiplyBatch ${sum(get('scratch'), INPUTS)} ${get('weights')} ${sum(get('scratch'), PRODUCTS)}
        ${get('fromGroups')} ${get('parts')}
        (i32.div_u ${sum(get('count'), BLOCK_TILES - 1)} ${integer(BLOCK_TILES)}))
      ${repeat(
        'tile',
        get('count'),
        `(call $transformOutput ${placeOf(PRODUCTS, product(get('parts'), BLOCK_VECTORS))}
          ${['to', 'toRow', 'toStep', 'toGroups', 'bias', 'residuals', 'first', 'second'].map(get).join(' ')}
          ${get('slope')} ${get('scratch')})
        ${advance('to', product(get('toStep'), 4))}`,
      )}
      (br_if $batch (local.tee $tiles (i32.sub ${get('tiles')} ${get('count')})))))`;
}

/**
 * Enlarges a row of a plane by a convolution of 5 x 5, which gives all samples that come from one at once, and adds
 * their corrections.
 * @param vectors four samples each: 1 for a factor of 2, 4 for a factor of 4
 */
function enlargeRow(name: string, vectors: 1 | 4, multiplyAdd: MultiplyAdd): string {
  const sums = numbered('sum', vectors);
  const rows = vectors === 1 ? [0, 8] : [0, 16, 32, 48];
  const correction =
    vectors === 1
      ? `${set('sum0', `(v128.load64_lane 1 ${sum(get('correction'), get('pitch'))} (v128.load64_zero ${get('correction')}))`)}`
      : sums.map((each, at) => set(each, load(get('correction'), rows[at]))).join('\n');
  const save =
    vectors === 1
      ? `(v128.store64_lane 0 ${get('to')} ${get('sum0')})
        (v128.store64_lane 1 ${sum(get('to'), get('toRow'))} ${get('sum0')})`
      : sums
          .map(
            (each, at) =>
              `${at > 0 ? advance('below', get('toRow')) : set('below', get('to'))} ${store(get('below'), 0, get(each))}`,
          )
          .join('\n');
  return `(func (export "${name}")
    ${params('from', 'fromRow', 'kernels', 'correction', 'pitch', 'step', 'nextStep', 'to', 'toRow', 'width')}
    ${locals('i32', 'column', 'at', 'below', 'swap')} ${locals('v128', 'input', ...sums)}
    ${repeat(
      'column',
      get('width'),
      `${correction}
      ${set('at', get('from'))}
      ${times(
        25,
        (tap) => `${tap > 0 && tap % 5 === 0 ? advance('at', get('fromRow')) : ''}
        ${set('input', splat(get('at'), (tap % 5) * 4))}
        ${sums.map((each, vector) => set(each, multiplyAdd(get('input'), load(get('kernels'), (tap * vectors + vector) * 16), get(each)))).join('\n')}`,
      )}
      ${save}
      ${advance('from', 4)}
      ${advance('to', vectors === 1 ? 8 : 16)}
      ${advance('correction', get('step'))}
      ${set('swap', get('step'))} ${set('step', get('nextStep'))} ${set('nextStep', get('swap'))}`,
    )})`;
}
