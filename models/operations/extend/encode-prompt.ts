import type { Inference, WeightOptions } from '../../core/runtime/inference.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import { CLIP_LENGTH, ClipTokenizer } from './clip-tokenizer.ts';
import { runGraph } from './run-graph.ts';
import type { TextModel } from './text-models.ts';

/** Numbers for each token. */
const WIDTH = 768;

/** Meaning of a prompt, as the network takes it. */
export interface EncodedPrompt {
  readonly dims: readonly number[];
  readonly withText: Float32Array<ArrayBuffer>;
  /** Meaning of the empty text, where the model weighs the prompt against it. */
  readonly without: Float32Array<ArrayBuffer> | null;
  readonly warnings: readonly RunWarning[];
}

/** Encodes a prompt by a model's tokenizer and text encoder. */
export async function encodePrompt(
  { cards, guidance }: TextModel,
  prompt: string,
  inference: Inference,
  options: WeightOptions,
): Promise<EncodedPrompt> {
  const text = new TextDecoder();
  const vocabulary = text.decode(await inference.read(cards.vocabulary, options));
  const merges = text.decode(await inference.read(cards.merges, options));
  const tokenizer = new ClipTokenizer(vocabulary, merges);
  return await inference.use(cards.text, options, async (session) => {
    const encode = async (of: string) => {
      const values = Float32Array.from(tokenizer.encode(of).ids);
      const feeds = { input_ids: { dims: [1, CLIP_LENGTH], values } };
      const wanted = { feeds, output: 'last_hidden_state', length: CLIP_LENGTH * WIDTH };
      return (await runGraph(session, wanted, options.signal)).values;
    };
    const isCut = tokenizer.encode(prompt).isCut;
    return {
      dims: [1, CLIP_LENGTH, WIDTH],
      withText: await encode(prompt),
      without: guidance === 1 || prompt.trim() === '' ? null : await encode(''),
      warnings: isCut ? [formatWarning('prompt_cut', String(CLIP_LENGTH - 2))] : [],
    };
  });
}
