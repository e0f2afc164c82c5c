import { expect, it } from 'vitest';
import type { Inference, Session } from '../../../models/core/runtime/inference.ts';
import { resizeAligned } from '../../../models/kernels/raster/resize.ts';
import { CATEGORIES, getSeverity, SEVERITIES } from '../../../models/moderation/categories.ts';
import { matchTexts, PROMPTS } from '../../../models/moderation/classify-with-clip.ts';
import { clipTokens } from '../../../models/moderation/clip-tokens.ts';
import { sexualEngines } from '../../../models/moderation/sexual-networks.ts';
import { countFloats } from '../../support/media/count-floats.ts';

const { signal } = new AbortController();

/** Session whose graph gives the probabilities of each view, the last one again where there are more. */
const getSession = (...views: (readonly number[])[]): Session => ({
  inputs: [{ name: 'image', type: 'float32', dims: [1, 224, 224, 3] }],
  outputs: [{ name: 'probabilities', type: 'float32', dims: [1, 5] }],
  run: async () => ({
    outputs: {
      probabilities: {
        type: 'float32',
        dims: [1, 5],
        data: Float32Array.from((views.length > 1 ? views.shift() : views[0]) ?? []),
      },
    },
    provider: 'cpu',
    notices: [],
  }),
});

it.each([
  ['neutral', [0.1, 0, 0.9, 0, 0], 0],
  ['a harmless portrait', [0, 0, 0.04, 0, 0.96], 0],
  ['suggestive only', [0, 0, 0.01, 0, 0.99], 2],
  ['hardly explicit', [0, 0.2, 0.58, 0.22, 0], 2],
  ['explicit', [0, 0.1, 0.2, 0.6, 0.1], 4],
  ['a drawing, very explicit', [0.05, 0.9, 0.05, 0, 0], 6],
])('the bundled network gives %s its severity', async (_name, probabilities, severity) => {
  const image = { width: 2, height: 2, channels: 3, data: new Float32Array(12) };
  const engine = sexualEngines(image, signal).find(({ id }) => id === 'nsfw-mobilenet');
  expect((await engine?.run(getSession(probabilities)))?.value).toBe(severity);
});

it.each([
  ['takes back what a view in a frame does not confirm', 0.93, 0.23, 0],
  ['keeps what it confirms', 0.83, 0.4, 4],
  ['keeps what is certain', 0.96, 0, 6],
])('the bundled network %s', async (_name, porn, framed, severity) => {
  const image = { width: 2, height: 2, channels: 3, data: new Float32Array(12) };
  const engine = sexualEngines(image, signal).find(({ id }) => id === 'nsfw-mobilenet');
  const session = getSession([0, 0, 1 - porn, porn, 0], [0, 0, 1 - framed, framed, 0]);
  expect((await engine?.run(session))?.value).toBe(severity);
});

it('refuses a network with another output than its card says', async () => {
  const image = { width: 2, height: 2, channels: 3, data: new Float32Array(12) };
  for (const engine of sexualEngines(image, signal)) {
    await expect(engine.run(getSession([1, 0, 0]))).rejects.toMatchObject({ code: 'unavailable' });
  }
});

it('a score reaches a severity at its threshold', () => {
  expect([0.19, 0.2, 0.5, 0.8].map((score) => getSeverity(score, [0.2, 0.5, 0.8]))).toEqual([0, 2, 4, 6]);
});

it('CLIP has tokens for every text, between those of start and end', () => {
  for (const category of CATEGORIES) {
    for (const severity of SEVERITIES) {
      expect(PROMPTS[category][severity].length).toBeGreaterThanOrEqual(2);
      for (const text of PROMPTS[category][severity]) {
        const tokens = clipTokens(text);
        expect([tokens[0], tokens.at(-1)]).toEqual([49406, 49407]);
        expect(tokens.length).toBeGreaterThanOrEqual(text.split(' ').length + 2);
      }
    }
  }
  // As OpenAI's tokenizer encodes "a photo of a ...".
  expect(clipTokens('a photo of a landscape').slice(0, 5)).toEqual([49406, 320, 1125, 539, 320]);
  expect(() => clipTokens('a photo of a zebra')).toThrow('zebra: has no tokens');
});

it('resizing with aligned corners keeps the corners and divides evenly between them', () => {
  const image = { width: 2, height: 2, channels: 1, data: Float32Array.from([0, 1, 2, 3]) };
  const { data } = resizeAligned(image, 3, 3);
  expect([...data]).toEqual([0, 0.5, 1, 1, 1.5, 2, 2, 2.5, 3]);
  expect([...resizeAligned(image, 2, 2).data]).toEqual([0, 1, 2, 3]);
});

it('CLIP takes little memory for an image of one row', async () => {
  const embedding = { type: 'float32', dims: [1, 2], data: Float32Array.of(1, 0) } as const;
  const session: Session = {
    inputs: [{ name: 'input', type: 'float32', dims: [1] }],
    outputs: ['image_embeds', 'text_embeds'].map((name) => ({ name, type: 'float32', dims: [1, 2] })),
    run: async () => ({
      outputs: { image_embeds: embedding, text_embeds: embedding },
      provider: 'cpu',
      notices: [],
    }),
  };
  const inference: Inference = {
    availability: async () => 'ready',
    use: (_card, _options, work) => work(session),
    read: async () => new Uint8Array(),
  };
  const row = { width: 2048, height: 1, channels: 3, data: new Float32Array(2048 * 3) };
  // Scaled as a whole it would have 458,752 x 224 pixels.
  const floats = await countFloats(() => matchTexts(inference, row, ['a photo of food'], { signal }));
  expect(floats).toBeLessThan(1_000_000);
});
