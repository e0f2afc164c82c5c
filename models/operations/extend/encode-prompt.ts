import type { Inference, WeightOptions } from '../../core/runtime/inference.ts';
import { formatWarning, type RunWarning } from '../../core/runtime/run-warnings.ts';
import { runGraph, type TextModel } from './text-models.ts';

/** Tokens of one text, for a text encoder of CLIP. */
interface ClipTokens {
  /** Start, text, end, and padding: `LENGTH` in all. */
  readonly ids: readonly number[];
  /** Whether the end of the text was cut off. */
  readonly isCut: boolean;
}

/** Tokens that the text encoders take. */
const CLIP_LENGTH = 77;

const START = '<|startoftext|>';

const END = '<|endoftext|>';

/** Mark at the end of each word. */
const WORD_END = '</w>';

const WORDS = /'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+/gu;

/**
 * Tokenizer of CLIP (Radford et al., "Learning Transferable Visual Models From Natural Language Supervision", ICML
 * 2021): lower-case words, divided into known parts by byte-pair merges.
 */
export class ClipTokenizer {
  readonly #ids: Readonly<Record<string, number>>;
  /** Ranks of pairs that merge: lower ones first. */
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #known = new Map<string, readonly number[]>();

  /**
   * @param vocabulary published `vocab.json`: ids by token
   * @param merges published `merges.txt`: a pair a line, after a line with its version
   * @throws SyntaxError when the vocabulary is no JSON; RangeError when it lacks the marks of start and end
   */
  constructor(vocabulary: string, merges: string) {
    this.#ids = JSON.parse(vocabulary);
    const pairs = merges.split('\n').filter((line) => line !== '' && !line.startsWith('#version'));
    this.#ranks = new Map(pairs.map((pair, rank) => [pair.trimEnd(), rank]));
    if (this.#ids[START] === undefined || this.#ids[END] === undefined) {
      throw new RangeError('The vocabulary has no marks of start and end.');
    }
  }

  /** Encodes a text: the end mark fills what it leaves of the length. */
  encode(text: string): ClipTokens {
    // The published tokenizer composes accents, which some keyboards write as marks of their own.
    const words = text.normalize('NFC').toLowerCase().match(WORDS) ?? [];
    const [start, end] = [this.#ids[START], this.#ids[END]];
    const found: number[] = [];
    // No word is needed beyond the length.
    for (const word of words) {
      if (found.length > CLIP_LENGTH) break;
      found.push(...this.#encodeWord(word));
    }
    const room = CLIP_LENGTH - 2;
    const ids = [start, ...found.slice(0, room)];
    while (ids.length < CLIP_LENGTH) ids.push(end);
    return { ids, isCut: found.length > room };
  }

  #encodeWord(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known) return known;
    // A part outside the vocabulary has no meaning for the network: it is left out.
    const ids = this.#merge(word).flatMap((part) => this.#ids[part] ?? []);
    this.#known.set(word, ids);
    return ids;
  }

  /** Merges neighbours while a pair is known, always the one of the lowest rank. */
  #merge(word: string): readonly string[] {
    const bytes = [...new TextEncoder().encode(word)].map((byte) => SYMBOLS[byte]);
    let parts = [...bytes.slice(0, -1), `${bytes.at(-1)}${WORD_END}`];
    for (;;) {
      const ranks = parts.slice(1).map((part, at) => this.#ranks.get(`${parts[at]} ${part}`) ?? Infinity);
      const lowest = Math.min(...ranks);
      if (lowest === Infinity) return parts;
      const merged: string[] = [];
      for (let at = 0; at < parts.length; at++) {
        const isPair = ranks[at] === lowest;
        merged.push(isPair ? `${parts[at]}${parts[at + 1]}` : parts[at]);
        if (isPair) at++;
      }
      parts = merged;
    }
  }
}

/**
 * Printable character for each byte, as published vocabularies write them: those without one get the letters from 256
 * on.
 */
const SYMBOLS = byteSymbols();

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

function byteSymbols(): readonly string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable =
      (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
    return String.fromCharCode(isPrintable ? byte : next++);
  });
}
