import { expect, it } from 'vitest';
import type { Session } from '../../../../models/core/runtime/inference.ts';
import { filterBank } from '../../../../models/operations/diarize/feed-samples.ts';
import {
  EMBEDDING_LENGTH,
  SPEAKER_CARD,
  SpeakerEmbeddings,
} from '../../../../models/operations/diarize/speaker-embeddings.ts';
import type { FrameWindow } from '../../../../models/operations/diarize/speech-windows.ts';
import { readEnv } from '../../../../server/base/env.ts';
import { openInference } from '../../../../server/runtime/inference/index.ts';

const RATE = 16_000;
const { signal } = new AbortController();

/** Network that tells the first band of each window's first frame, and counts the windows of its runs. */
function createEcho() {
  const runs: number[] = [];
  const session: Session = {
    inputs: [],
    outputs: [],
    async run({ bands }) {
      const [count = 0, frames = 0, width = 0] = bands?.dims ?? [];
      runs.push(count);
      const data = Float32Array.from({ length: count * EMBEDDING_LENGTH }, (_, at) =>
        Number(bands?.data[Math.floor(at / EMBEDDING_LENGTH) * frames * width]),
      );
      const embedding = { type: 'float32', dims: [count, EMBEDDING_LENGTH], data } as const;
      return { outputs: { embedding }, provider: '', notices: [] };
    },
  };
  return { session, runs };
}

/** Sound of 12 s whose every frame differs. */
const sound = Float32Array.from({ length: 12 * RATE }, (_, at) => 0.3 * Math.sin(at * at * 1e-6));

async function embed(session: Session, windows: readonly FrameWindow[], chunk: number) {
  const embedding = new SpeakerEmbeddings(session, windows, signal);
  const sink = filterBank(embedding);
  for (let at = 0; at < sound.length; at += chunk) await sink.push(sound.subarray(at, at + chunk));
  await sink.finish();
  return embedding.values;
}

const whole = (first: number): FrameWindow => ({ first, end: first + 160 });
/** Windows of one length, a short one, and others of which the last reaches beyond the sound. */
const WINDOWS = [
  ...Array.from({ length: 19 }, (_, at) => whole(40 * at)),
  { first: 950, end: 1010 },
  ...[980, 1020, 1080].map(whole),
];

it.each([RATE, 7777, 12 * RATE])(
  'embeds windows of one length together, and each in its place, whatever the chunks: %d samples',
  async (chunk) => {
    const { session, runs } = createEcho();
    const { session: alone } = createEcho();
    const values = await embed(session, WINDOWS, chunk);
    expect(runs).toEqual([8, 8, 3, 1, 2, 1]);
    // Ends of runs, the short one, and the one that reaches beyond the sound.
    for (const at of [0, 7, 8, 18, 19, 21, 22]) {
      const [expected] = await embed(alone, WINDOWS.slice(at, at + 1), chunk);
      const row = values.subarray(at * EMBEDDING_LENGTH, (at + 1) * EMBEDDING_LENGTH);
      expect(new Set(row)).toEqual(new Set([expected]));
    }
  },
);

it('embeds a window by the bundled network as it does alone', async () => {
  const inference = openInference(readEnv());
  await inference.use(SPEAKER_CARD, { signal }, async (session) => {
    const windows = [0, 200, 400].map(whole);
    const together = await embed(session, windows, RATE);
    for (const [at, window] of windows.entries()) {
      const alone = await embed(session, [window], RATE);
      const row = together.subarray(at * EMBEDDING_LENGTH, (at + 1) * EMBEDDING_LENGTH);
      const gaps = [...row].map((value, index) => Math.abs(value - (alone[index] ?? 0)));
      expect(Math.max(...gaps)).toBeLessThan(1e-5);
    }
  });
});

it('refuses a model of another contract', async () => {
  const { session } = createEcho();
  const other: Session = { ...session, run: async () => ({ outputs: {}, provider: '', notices: [] }) };
  await expect(embed(other, [whole(0)], RATE)).rejects.toThrow('the model does not embed speakers.');
});
