import type { Inference, WeightOptions } from '../../core/runtime/inference.ts';
import type { FloatImage } from '../../core/runtime/raster.ts';
import { WarningSet } from '../../core/runtime/run-warnings.ts';
import { floatTensor, getFloats } from '../../core/runtime/tensor.ts';
import { imageOfTensor, imageTensor } from '../../kernels/raster/image-tensor.ts';
import type { EncodedPrompt } from './encode-prompt.ts';
import { addNoise, applyGuidance } from './samplers.ts';
import { type GraphRun, runGraph, type TextModel } from './text-models.ts';

/** Side of the square that the model paints, and of its latents. */
export const WINDOW_SIZE = 512;

const REDUCTION = 8;

const SIDE = WINDOW_SIZE / REDUCTION;

const CHANNELS = 4;

const LATENTS = CHANNELS * SIDE * SIDE;

/** Deviation of the autoencoder's latents: the network takes them divided by it. */
const LATENT_SCALE = 0.18215;

/** Square of an image, some of it to be painted. */
export interface Window {
  /** Red, green and blue, 0 to 1. */
  readonly colours: FloatImage;
  /** 1 where the model paints, for each pixel. */
  readonly mask: Uint8Array;
  /** Whether the pixels to paint hold a rough image already: it is refined. */
  readonly isRough: boolean;
}

export interface WindowPainter extends WeightOptions {
  readonly model: TextModel;
  readonly prompt: EncodedPrompt;
  readonly inference: Inference;
  /** Numbers from 0 to 1: the seed decides them. */
  readonly random: () => number;
  /** Receives each finished step of the sampler. */
  readonly onStep: () => void;
}

/** Painted square and what ran. */
export interface PaintedWindow extends Pick<GraphRun, 'provider' | 'notices'> {
  readonly colours: FloatImage;
}

/**
 * Paints a square by latent diffusion. Its models are opened one after the other, so that one need not stay next to the
 * other.
 * @throws OperationError `unavailable` when a model cannot be loaded or run; the signal's reason between two steps
 */
export async function paintWindow(window: Window, painter: WindowPainter): Promise<PaintedWindow> {
  const { inference, model, signal } = painter;
  const { hidden, rough } = await inference.use(model.cards.encoder, painter, async (session) => {
    const encode = async (image: FloatImage) => {
      const feeds = { sample: { dims: [1, 3, WINDOW_SIZE, WINDOW_SIZE], values: getPlanes(image) } };
      const wanted = { feeds, output: 'latent_sample', length: LATENTS };
      const { values } = await runGraph(session, wanted, signal);
      return values.map((value) => value * LATENT_SCALE);
    };
    return {
      hidden: await encode(withoutMasked(window)),
      rough: window.isRough ? await encode(window.colours) : null,
    };
  });
  const { latents, provider, notices } = await denoise(window, { hidden, rough }, painter);
  const colours = await inference.use(model.cards.decoder, painter, async (session) => {
    const values = latents.map((value) => value / LATENT_SCALE);
    const feeds = { latent_sample: { dims: [1, CHANNELS, SIDE, SIDE], values } };
    const wanted = { feeds, output: 'sample', length: 3 * WINDOW_SIZE * WINDOW_SIZE };
    return imageOfPlanes((await runGraph(session, wanted, signal)).values);
  });
  return { colours, provider, notices };
}

interface Encoded {
  /** Latents of the window without what is to be painted. */
  readonly hidden: Float32Array<ArrayBuffer>;
  /** Latents of the whole rough window; null where there is none. */
  readonly rough: Float32Array<ArrayBuffer> | null;
}

function denoise({ mask }: Window, { hidden, rough }: Encoded, painter: WindowPainter) {
  const { inference, model, prompt, random, signal, onStep } = painter;
  const { sampler, guidance } = model;
  const cells = getCells(mask);
  const noise = normalNoise(LATENTS, random);
  const first = rough ? model.refinesFrom : 0;
  return inference.use(model.cards.unet, painter, async (session) => {
    let latents = rough ? addNoise(rough, noise, sampler.timesteps[first]) : noise;
    let last: GraphRun | undefined;
    const notices = new WarningSet();
    const predict = async (timestep: number, text: Float32Array<ArrayBuffer>) => {
      const values = new Float32Array(LATENTS * 2 + cells.length);
      values.set(latents);
      values.set(cells, LATENTS);
      values.set(hidden, LATENTS + cells.length);
      const feeds = {
        sample: { dims: [1, 2 * CHANNELS + 1, SIDE, SIDE], values },
        timestep: { dims: [1], values: Float32Array.of(timestep) },
        encoder_hidden_states: { dims: prompt.dims, values: text },
      };
      last = await runGraph(session, { feeds, output: 'out_sample', length: LATENTS }, signal);
      notices.add(...last.notices);
      return last.values;
    };
    for (let at = first; at < sampler.timesteps.length; at++) {
      signal.throwIfAborted();
      const timestep = sampler.timesteps[at];
      const withText = await predict(timestep, prompt.withText);
      const predicted = prompt.without
        ? applyGuidance(await predict(timestep, prompt.without), withText, guidance)
        : withText;
      const stepped = sampler.step(latents, predicted, at, () => normalNoise(LATENTS, random));
      // What is known stays known: its own latents, with the noise of the next step.
      const next = sampler.timesteps[at + 1];
      const known = next === undefined ? hidden : addNoise(hidden, noise, next);
      latents = stepped.map((value, pixel) => (cells[pixel % cells.length] ? value : known[pixel]));
      onStep();
    }
    return { latents, provider: last?.provider ?? '', notices: [...notices] };
  });
}

/** Reduces a mask to the latents: a cell is painted where any of its pixels is. */
function getCells(mask: Uint8Array): Float32Array {
  const cells = new Float32Array(SIDE * SIDE);
  for (let pixel = 0; pixel < mask.length; pixel++) {
    if (!mask[pixel]) continue;
    const x = pixel % WINDOW_SIZE;
    const y = (pixel - x) / WINDOW_SIZE;
    cells[Math.floor(y / REDUCTION) * SIDE + Math.floor(x / REDUCTION)] = 1;
  }
  return cells;
}

/** Returns the window with grey in place of what is to be painted: 0 for the model. */
function withoutMasked({ colours, mask }: Window): FloatImage {
  return { ...colours, data: colours.data.map((value, at) => (mask[Math.floor(at / 3)] ? 0.5 : value)) };
}

/** Returns colours as planes from -1 to 1. */
function getPlanes(image: FloatImage): Float32Array<ArrayBuffer> {
  const half = [0.5, 0.5, 0.5] as const;
  return getFloats(imageTensor(image, { type: 'float32', layout: 'nchw', mean: half, deviation: half }));
}

function imageOfPlanes(values: Float32Array<ArrayBuffer>): FloatImage {
  const tensor = floatTensor('float32', [1, 3, WINDOW_SIZE, WINDOW_SIZE], values);
  const image = imageOfTensor(tensor, 'nchw', 3) as FloatImage;
  return { ...image, data: image.data.map((value) => Math.min(1, Math.max(0, value / 2 + 0.5))) };
}

/**
 * Returns normally distributed numbers of mean 0 and deviation 1, the same for the same random numbers (Box and Muller,
 * 1958).
 * @param random numbers from 0 to 1, without 1
 */
export function normalNoise(length: number, random: () => number): Float32Array<ArrayBuffer> {
  const noise = new Float32Array(length);
  for (let at = 0; at < length; at += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    noise[at] = radius * Math.cos(angle);
    if (at + 1 < length) noise[at + 1] = radius * Math.sin(angle);
  }
  return noise;
}
