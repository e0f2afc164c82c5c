import { OperationError } from '../core/operation/errors.ts';
import type { Inference, Session, WeightOptions } from '../core/runtime/inference.ts';
import type { FloatImage } from '../core/runtime/raster.ts';
import type { RunWarning } from '../core/runtime/run-warnings.ts';
import { getFloats, type Tensor } from '../core/runtime/tensor.ts';
import { imageTensor } from '../kernels/raster/image-tensor.ts';
import { resizeRegion } from '../kernels/raster/resize.ts';
import { type Category, SEVERITIES, type Severity, softmax } from './categories.ts';
import { clipTokens } from './clip-tokens.ts';
import { IMAGE_MODERATION_WEIGHTS } from './weights.ts';

/** Texts that an image is compared with, by the severity that they describe. */
type Prompts = Readonly<Record<Severity, readonly string[]>>;

/** Ordinary images, for all categories: what a category's own texts must outweigh. */
const ORDINARY = [
  'a photo of a landscape',
  'a photo of a building',
  'a photo of an animal',
  'a photo of food',
  'a photo of people talking',
  'a portrait of a person',
  'a photo of a product',
  'a screenshot of a document',
  'a drawing of a cartoon character',
];

/** Texts of each category. `docs/moderation.md` explains the choice. */
export const PROMPTS: Readonly<Record<Category, Prompts>> = {
  Hate: {
    0: [...ORDINARY, 'a photo of people of many cultures together', 'a photo of a museum of history'],
    2: ['an insulting caricature of a group of people', 'a meme that mocks a group of people'],
    4: ['a protest against a group of people', 'a poster that insults a religion'],
    6: ['a photo of a nazi flag with a swastika', 'a photo of a white supremacist rally'],
  },
  SelfHarm: {
    0: [...ORDINARY, 'a photo of a thin athlete', 'a photo of a doctor treating a patient'],
    2: ['a photo of a very sad and lonely person', 'a drawing about depression'],
    4: ['a photo of an extremely underweight person', 'a photo of scars on an arm'],
    6: ['a photo of a person cutting their own wrist', 'a photo of a person attempting suicide'],
  },
  Sexual: {
    0: [...ORDINARY, 'a photo of a dressed person', 'a photo of people at the beach', 'a classical statue'],
    2: ['a photo of a person in lingerie', 'a photo of a person in a suggestive pose'],
    4: ['a photo of a naked person', 'a drawing of a naked person'],
    6: ['a photo of people having sex', 'a pornographic image', 'an explicit hentai drawing'],
  },
  Violence: {
    0: [...ORDINARY, 'a photo of a sports match', 'a photo of a kitchen knife on a table'],
    2: ['a photo of a person with a gun', 'a photo of people arguing angrily'],
    4: ['a photo of people fighting and hurting each other', 'a photo of a person with a bleeding wound'],
    6: ['a photo of a dead body with blood and gore', 'a photo of a person being killed'],
  },
};

const IMAGE_CARD = IMAGE_MODERATION_WEIGHTS['clip-vit-b32-vision-uint8'];

const TEXT_CARD = IMAGE_MODERATION_WEIGHTS['clip-vit-b32-text-q4'];

/** Both encoders. */
export const CLIP_CARDS = [IMAGE_CARD, TEXT_CARD] as const;

const SIDE = 224;

const MEAN = [0.48145466, 0.4578275, 0.40821073] as const;

const DEVIATION = [0.26862954, 0.26130258, 0.27577711] as const;

/** Learned scale of CLIP's cosines. */
const COSINE_SCALE = 100;

/**
 * Least share of the texts of a severity and above among all texts of the category: they outweigh the others.
 * `docs/moderation.md` says more.
 */
const SHARE_MIN = 0.5;

type Embedding = Float32Array;

export interface ClipResult {
  readonly severities: ReadonlyMap<Category, Severity>;
  readonly provider: string;
  readonly notices: readonly RunWarning[];
}

/**
 * Judges categories by comparing an image with the texts of each.
 * @param colours red, green, blue, 0 to 1
 * @throws OperationError `unavailable` when the weights cannot be downloaded or run
 */
export async function classifyWithClip(
  inference: Inference,
  colours: FloatImage,
  categories: readonly Category[],
  options: WeightOptions,
): Promise<ClipResult> {
  const texts = await embedTexts(inference, PROMPT_TEXTS, options);
  const { embedding, provider, notices } = await embedImage(inference, colours, options);
  const severities = new Map(
    categories.map((category) => [category, compare(category, embedding, texts)] as const),
  );
  return { severities, provider, notices };
}

/**
 * Returns how well each text fits an image, as shares of 1.
 * @param colours red, green, blue, 0 to 1
 * @throws OperationError `unavailable` when the weights cannot be downloaded or run
 */
export async function matchTexts(
  inference: Inference,
  colours: FloatImage,
  texts: readonly string[],
  options: WeightOptions,
): Promise<ReadonlyMap<string, number>> {
  const embeddings = await embedTexts(inference, texts, options);
  const { embedding } = await embedImage(inference, colours, options);
  const shares = softmax(
    texts.map((text) => COSINE_SCALE * product(embedding, getEmbedding(embeddings, text))),
  );
  return new Map(texts.map((text, at) => [text, shares[at] ?? 0]));
}

function embedImage(inference: Inference, colours: FloatImage, options: WeightOptions) {
  const pixels = imageTensor(centreSquare(colours), {
    type: 'float32',
    layout: 'nchw',
    mean: MEAN,
    deviation: DEVIATION,
  });
  return inference.use(IMAGE_CARD, options, (session) =>
    embed(session, 'image_embeds', pixels, options.signal),
  );
}

/** Returns the severity whose texts, with those above, outweigh all others of the category. */
function compare(category: Category, image: Embedding, texts: TextEmbeddings): Severity {
  const prompts = SEVERITIES.flatMap((severity) =>
    PROMPTS[category][severity].map((text) => ({ severity, text })),
  );
  const shares = softmax(prompts.map(({ text }) => COSINE_SCALE * product(image, getEmbedding(texts, text))));
  const shareFrom = (least: Severity) =>
    prompts.reduce((sum, { severity }, at) => sum + (severity >= least ? shares[at] : 0), 0);
  // A higher severity's share is part of a lower one's: the highest that suffices counts.
  const suffices = SEVERITIES.slice(1).filter((least) => shareFrom(least) >= SHARE_MIN);
  return suffices.at(-1) ?? 0;
}

/** Resizes the shorter side, and cuts out the square in the centre. */
function centreSquare(colours: FloatImage): FloatImage {
  const scale = SIDE / Math.min(colours.width, colours.height);
  const width = Math.max(SIDE, Math.round(colours.width * scale));
  const height = Math.max(SIDE, Math.round(colours.height * scale));
  const left = Math.floor((width - SIDE) / 2);
  const top = Math.floor((height - SIDE) / 2);
  return resizeRegion(colours, { width, height }, { left, top, width: SIDE, height: SIDE });
}

type TextEmbeddings = ReadonlyMap<string, Embedding>;

const PROMPT_TEXTS = Object.values(PROMPTS).flatMap((prompts) => Object.values(prompts).flat());

const known = new WeakMap<Inference, Map<string, Embedding>>();

/** Returns the embeddings of texts: computed once, since inference outlives runs. */
async function embedTexts(
  inference: Inference,
  texts: readonly string[],
  options: WeightOptions,
): Promise<TextEmbeddings> {
  const found = known.get(inference) ?? new Map<string, Embedding>();
  known.set(inference, found);
  const missing = new Set(texts.filter((text) => !found.has(text)));
  if (missing.size === 0) return found;
  await inference.use(TEXT_CARD, options, async (session) => {
    for (const text of missing) {
      const { embedding } = await embed(session, 'text_embeds', tokenTensor(text), options.signal);
      found.set(text, embedding);
    }
  });
  return found;
}

function tokenTensor(text: string): Tensor {
  const tokens = clipTokens(text);
  return { type: 'int64', dims: [1, tokens.length], data: BigInt64Array.from(tokens, BigInt) };
}

/** Runs an encoder, and scales the embedding to length 1. */
async function embed(session: Session, outputName: string, feed: Tensor, signal: AbortSignal) {
  if (!session.outputs.some(({ name }) => name === outputName)) throw unlikeClip(outputName);
  const feeds = Object.fromEntries(
    session.inputs.map(({ name }) => [name, name === 'attention_mask' ? onesLike(feed) : feed]),
  );
  const { outputs, provider, notices } = await session.run(feeds, signal, [outputName]);
  const output = outputs[outputName];
  if (!output) throw unlikeClip(outputName);
  const values = getFloats(output);
  const length = Math.sqrt(product(values, values)) || 1;
  return { embedding: values.map((value) => value / length), provider, notices };
}

function unlikeClip(outputName: string): OperationError {
  return new OperationError('unavailable', `${IMAGE_CARD.id}: the model returns no ${outputName}.`);
}

function onesLike({ dims }: Tensor): Tensor {
  const count = dims.reduce((all, size) => all * size, 1);
  return { type: 'int64', dims, data: new BigInt64Array(count).fill(1n) };
}

function getEmbedding(embeddings: TextEmbeddings, text: string): Embedding {
  const found = embeddings.get(text);
  if (!found) throw new RangeError(`${text}: is not embedded`);
  return found;
}

function product(one: Embedding, other: Embedding): number {
  return one.reduce((sum, value, at) => sum + value * other[at], 0);
}
