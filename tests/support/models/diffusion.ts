import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ProviderChain } from '../../../models/core/inference/provider-chain.ts';
import type { Inference } from '../../../models/core/runtime/inference.ts';
import type { Tensor } from '../../../models/core/runtime/tensor.ts';
import { signalShareAt, TRAINED_STEPS } from '../../../models/operations/extend/samplers.ts';
import { TEXT_MODELS } from '../../../models/operations/extend/text-models.ts';
import { encodeOnnxModel } from '../../../server/ops/build/graphs/onnx.ts';
import { onnxProvider } from '../../../server/runtime/inference/node-inference.ts';

/** Token of "red" in CLIP's published vocabulary. */
const RED = 736;
const [FLOAT32, INT64, FLOAT16] = [1, 7, 10] as const;

/** Text encoder that finds "red": all its numbers are 1 for that token, else 0. */
function textEncoder(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [{ name: 'input_ids', type: 'int32', dims: [1, 77] }],
    outputs: [{ name: 'last_hidden_state', type: 'float32', dims: [1, 77, 768] }],
    nodes: [
      { op: 'Cast', inputs: ['input_ids'], outputs: ['numbers'], attributes: { to: FLOAT32 } },
      { op: 'Equal', inputs: ['numbers', 'red'], outputs: ['isRed'] },
      { op: 'Cast', inputs: ['isRed'], outputs: ['asRed'], attributes: { to: FLOAT32 } },
      { op: 'Transpose', inputs: ['asRed'], outputs: ['column'], attributes: { perm: [1, 0] } },
      { op: 'MatMul', inputs: ['column', 'ones'], outputs: ['wide'] },
      { op: 'Add', inputs: ['wide', 'zero'], outputs: ['last_hidden_state'] },
    ],
    constants: {
      red: { dims: [1], values: [RED] },
      ones: { dims: [1, 768], values: new Array(768).fill(1) },
      zero: { dims: [1, 1, 1], values: [0] },
    },
  });
}

/** Encoder whose latents are the mean colours of squares of 8 pixels. */
function encoder(): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [{ name: 'sample', type: 'float16', dims: [1, 3, 512, 512] }],
    outputs: [{ name: 'latent_sample', type: 'float16', dims: [1, 4, 64, 64] }],
    nodes: [
      { op: 'Cast', inputs: ['sample'], outputs: ['colours'], attributes: { to: FLOAT32 } },
      {
        op: 'AveragePool',
        inputs: ['colours'],
        outputs: ['means'],
        attributes: { kernel_shape: [8, 8], strides: [8, 8] },
      },
      { op: 'Conv', inputs: ['means', 'spread'], outputs: ['latents'] },
      { op: 'Cast', inputs: ['latents'], outputs: ['latent_sample'], attributes: { to: FLOAT16 } },
    ],
    constants: { spread: { dims: [4, 3, 1, 1], values: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0] } },
  });
}

/** Decoder of those latents. @param drift is added to all colours, which are -1 to 1 */
function decoder(drift: number): Uint8Array<ArrayBuffer> {
  return encodeOnnxModel({
    inputs: [{ name: 'latent_sample', type: 'float16', dims: [1, 4, 64, 64] }],
    outputs: [{ name: 'sample', type: 'float16', dims: [1, 3, 512, 512] }],
    nodes: [
      { op: 'Cast', inputs: ['latent_sample'], outputs: ['latents'], attributes: { to: FLOAT32 } },
      { op: 'Conv', inputs: ['latents', 'gather', 'drift'], outputs: ['colours'] },
      { op: 'Resize', inputs: ['colours', '', 'scales'], outputs: ['large'] },
      { op: 'Cast', inputs: ['large'], outputs: ['sample'], attributes: { to: FLOAT16 } },
    ],
    constants: {
      gather: { dims: [3, 4, 1, 1], values: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] },
      drift: { dims: [3], values: [drift, drift, drift] },
      scales: { dims: [4], values: [1, 1, 8, 8] },
    },
  });
}

/**
 * Network that finds noise around red where the text has it, else around grey; a quarter of what it sees stays, so
 * that seeds differ.
 */
function unet(): Uint8Array<ArrayBuffer> {
  const steps = Array.from({ length: TRAINED_STEPS }, (_, at) => Math.sqrt(signalShareAt(at)));
  const scale = 0.18215;
  return encodeOnnxModel({
    inputs: [
      { name: 'sample', type: 'float16', dims: ['batch', 9, 'height', 'width'] },
      { name: 'timestep', type: 'float16', dims: [1] },
      { name: 'encoder_hidden_states', type: 'float16', dims: ['batch', 77, 768] },
    ],
    outputs: [{ name: 'out_sample', type: 'float16', dims: ['batch', 4, 'height', 'width'] }],
    nodes: [
      { op: 'Cast', inputs: ['sample'], outputs: ['all'], attributes: { to: FLOAT32 } },
      { op: 'Conv', inputs: ['all', 'latentsOnly'], outputs: ['latents'] },
      { op: 'Cast', inputs: ['timestep'], outputs: ['step'], attributes: { to: INT64 } },
      { op: 'Gather', inputs: ['signals', 'step'], outputs: ['signal'] },
      { op: 'Gather', inputs: ['noises', 'step'], outputs: ['noise'] },
      { op: 'Cast', inputs: ['encoder_hidden_states'], outputs: ['text'], attributes: { to: FLOAT32 } },
      { op: 'ReduceMax', inputs: ['text'], outputs: ['redness'], attributes: { axes: [1, 2], keepdims: 1 } },
      { op: 'Mul', inputs: ['redness', 'red'], outputs: ['aim'] },
      { op: 'Mul', inputs: ['latents', 'quarter'], outputs: ['rest'] },
      { op: 'Add', inputs: ['aim', 'rest'], outputs: ['clean'] },
      { op: 'Mul', inputs: ['clean', 'signal'], outputs: ['part'] },
      { op: 'Sub', inputs: ['latents', 'part'], outputs: ['difference'] },
      { op: 'Div', inputs: ['difference', 'noise'], outputs: ['found'] },
      { op: 'Cast', inputs: ['found'], outputs: ['out_sample'], attributes: { to: FLOAT16 } },
    ],
    constants: {
      latentsOnly: {
        dims: [4, 9, 1, 1],
        values: Array.from({ length: 36 }, (_, at) => Number(at % 9 === Math.floor(at / 9))),
      },
      signals: { dims: [TRAINED_STEPS], values: steps },
      noises: { dims: [TRAINED_STEPS], values: steps.map((signal) => Math.sqrt(1 - signal ** 2)) },
      red: { dims: [1, 4, 1, 1], values: [scale, -scale, -scale, 0] },
      quarter: { dims: [1], values: [0.25] },
    },
  });
}

/** Record of the stand-ins' runs. */
export interface DiffusionRecord {
  readonly inference: Inference;
  /** Feeds of each run, by the kind of the model. */
  readonly runs: { readonly kind: string; readonly feeds: Readonly<Record<string, Tensor>> }[];
  /** Most models that were open at once. */
  openMax: number;
}

const GRAPHS = { text: textEncoder, encoder, unet, decoder } as const;

/**
 * Creates stand-ins for a model that reads text, on onnxruntime, with part of CLIP's published vocabulary.
 * @param id of the model; everything else is left to `others`
 * @param onRun is called before each run
 * @param drift of all colours that the model returns, -1 to 1
 */
export function createDiffusionStandIns(
  id: string,
  others: Inference,
  { onRun = () => {}, drift = 0 }: { onRun?: () => void; drift?: number } = {},
): DiffusionRecord {
  const cards = TEXT_MODELS.find((model) => model.id === id)?.cards;
  if (!cards) throw new Error(`no model ${id}`);
  const known: readonly string[] = Object.values(cards).map((card) => card.id);
  let open = 0;
  const seen: DiffusionRecord = {
    runs: [],
    openMax: 0,
    inference: {
      availability: async (card) => (known.includes(card.id) ? 'ready' : others.availability(card)),
      async read(card) {
        const name = card.id === cards.merges.id ? 'merges.txt' : 'vocab.json';
        return new Uint8Array(await readFile(resolve('tests/fixtures/clip', name)));
      },
      async use(card, options, work) {
        const kind = (['text', 'encoder', 'unet', 'decoder'] as const).find(
          (each) => cards[each].id === card.id,
        );
        if (!kind) return others.use(card, options, work);
        const provider = onnxProvider('cpu', async () => GRAPHS[kind](drift));
        const session = await ProviderChain.open([provider], options.signal);
        open += 1;
        seen.openMax = Math.max(seen.openMax, open);
        const watched = {
          inputs: session.inputs,
          outputs: session.outputs,
          run(feeds: Readonly<Record<string, Tensor>>, signal: AbortSignal) {
            onRun();
            seen.runs.push({ kind, feeds });
            return session.run(feeds, signal);
          },
        };
        return work(watched).finally(() => {
          open -= 1;
          return session.release();
        });
      },
    },
  };
  return seen;
}
