import { describe, expect, it, test } from 'vitest';
import type { DecodedAudio, PcmChunk } from '../../../../models/core/runtime/audio-codec.ts';
import { lowerLoudAudio } from '../../../../models/media/audio/lower-loud-audio.ts';
import { int16Samples } from '../../../../models/media/audio/write-audio.ts';
import { seededRandom } from '../../../../models/operations/extend/seeded-random.ts';
import { clearUnsung, reassignKicks } from '../../../../models/operations/stems/network-masker.ts';
import { completeStems } from '../../../../models/operations/stems/stems.ts';

const LENGTH = 20_000;
const random = seededRandom(7);

function noise(amplitude: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: LENGTH }, () => (2 * random() - 1) * amplitude);
}

function getInt16(chunk: PcmChunk): Int16Array {
  return new Int16Array(int16Samples(chunk).buffer);
}

describe('stems add up to the mixture, step for step of 16 bits,', () => {
  test.each([
    ['of quiet music', 0.3, 0.3],
    ['of music at full scale', 1, 1],
    ['where estimates are far too loud', 1, 2.5],
    ['where the mixture exceeds full scale', 1.3, 1.3],
  ])('%s', (_, mixed, estimated) => {
    const mixture = [noise(mixed), noise(mixed)];
    const stems = Array.from({ length: 3 }, () => [noise(estimated), noise(estimated)]);
    const whole = getInt16(mixture);
    const parts = completeStems({ mixture, stems }).map(getInt16);
    expect(parts).toHaveLength(4);
    let worst = 0;
    for (const [at, sample] of whole.entries()) {
      const sum = parts.reduce((total, part) => total + (part[at] ?? 0), 0);
      worst = Math.max(worst, Math.abs(sum - sample));
    }
    expect(worst).toBe(0);
  });

  test('and the excess of the last one is shared by those before it, the first one apart', () => {
    const silent = () => Float32Array.of(0);
    const [first, one, other, rest] = completeStems({
      mixture: [Float32Array.of(0.9), silent()],
      stems: [
        [Float32Array.of(0), silent()],
        [Float32Array.of(-0.5), silent()],
        [Float32Array.of(0), silent()],
      ],
    });
    expect(first?.[0]?.[0]).toBe(0);
    expect(rest?.[0]?.[0]).toBeCloseTo(1, 4);
    expect(one?.[0]?.[0]).toBeCloseTo(-0.5 + 0.4 * 0.6, 4);
    expect(other?.[0]?.[0]).toBeCloseTo(0.4 * 0.4, 4);
  });

  test('two stems are the sum of four', () => {
    const mixture = [noise(1), noise(1)];
    const stems = Array.from({ length: 3 }, () => [noise(1.5), noise(1.5)]);
    const vocals = (stems[0] ?? []).map((samples) => samples.slice());
    const [sung, ...others] = completeStems({ mixture, stems }).map(getInt16);
    const [alone, rest] = completeStems({ mixture, stems: [vocals] }).map(getInt16);
    expect(alone).toEqual(sung);
    expect(rest).toEqual(rest?.map((_, at) => others.reduce((sum, part) => sum + (part[at] ?? 0), 0)));
  });
});

describe('audio beyond full scale', () => {
  const { signal } = new AbortController();

  function getAudio(peak: number, codec: string): DecodedAudio {
    const samples = Float32Array.of(0, peak, -peak / 2);
    async function* chunks(): AsyncGenerator<PcmChunk> {
      yield [samples.slice(), samples.slice()];
    }
    const format = { sampleRate: 44_100, channelCount: 2 } as const;
    const facts = {
      ...format,
      container: 'wav',
      mediaType: 'audio/wav',
      codec,
      durationSeconds: 1,
      hasVideo: false,
    } as const;
    return { ...format, facts, frameCount: 3, warnings: () => [], chunks };
  }

  test.each(['pcm-f32', 'pcm_f64', 'wavpack', 'A_WAVPACK4', 'mp3', 'aac', 'vorbis', 'opus'])(
    'is lowered by a stated gain where samples of %s are twice full scale',
    async (codec) => {
      const { audio, warnings } = await lowerLoudAudio(getAudio(2, codec), signal);
      expect(warnings).toMatchObject([{ kind: 'lowered_audio', names: ['6.1'] }]);
      for await (const [left] of audio.chunks()) {
        expect(left?.[1]).toBeCloseTo(2 * 10 ** (-6.1 / 20), 6);
      }
    },
  );

  test.each([
    [0.9, 'pcm-f32'],
    [1.05, 'mp3'],
    [1.4, 'aac'],
  ])('of a peak of %s in %s is left as it is', async (peak, codec) => {
    const input = getAudio(peak, codec);
    const lowered = await lowerLoudAudio(input, signal);
    expect(lowered).toEqual({ audio: input, warnings: [] });
  });
});

const FRAMES = 256;
const ROWS = 384;
const [VOCALS, DRUMS, BASS, OTHER] = [0, 1, 2, 3];
const LOW = 3;
const HARMONIC = 30;
const HIGH = 250;

interface Music {
  /** Whether a sound rings at a frame: that below 65 Hz, that at 320 Hz and that above 2 kHz. */
  readonly low: (frame: number) => boolean;
  readonly harmonic: (frame: number) => boolean;
  /** Source that all above 2 kHz counts as. */
  readonly high: number;
}

/** Short sound every 16 frames, from one on. */
const burstsFrom = (first: number) => (frame: number) => frame % 16 === first;

/** Makes masks that count everything below 650 Hz as bass, and settles them. Returns the masks below 65 Hz. */
function settle({ low, harmonic, high }: Music) {
  const powers = new Float32Array(FRAMES * ROWS);
  const masks = new Float32Array(4 * FRAMES * ROWS);
  for (let frame = 0; frame < FRAMES; frame++) {
    powers[frame * ROWS + LOW] = low(frame) ? 1 : 1e-6;
    powers[frame * ROWS + HARMONIC] = harmonic(frame) ? 0.1 : 1e-6;
    powers[frame * ROWS + HIGH] = 0.01;
    for (let row = 0; row < ROWS; row++) {
      masks[((row < 60 ? BASS : row < 186 ? OTHER : high) * FRAMES + frame) * ROWS + row] = 1;
    }
  }
  reassignKicks({ frames: FRAMES, rows: ROWS, powers, masks });
  return [VOCALS, DRUMS, BASS, OTHER].map((source) => masks[source * FRAMES * ROWS + LOW]);
}

it('giveKicksToDrums: bursts that begin apart from the bass are drums', () => {
  expect(settle({ low: burstsFrom(0), harmonic: burstsFrom(8), high: DRUMS })).toEqual([0, 1, 0, 0]);
});

it.each([
  ['begin with their harmonics', { low: burstsFrom(0), harmonic: burstsFrom(0), high: DRUMS }],
  ['last', { low: (frame: number) => frame % 16 < 14, harmonic: burstsFrom(8), high: DRUMS }],
  ['are heard without drums', { low: burstsFrom(0), harmonic: burstsFrom(8), high: OTHER }],
  ['are alone', { low: burstsFrom(0), harmonic: () => false, high: DRUMS }],
])('giveKicksToDrums: deep sounds that %s stay bass', (_, music) => {
  expect(settle(music)).toEqual([0, 0, 1, 0]);
});

describe('clearUnsung', () => {
  /** Returns the masks of one row after a second half whose vocals have another share of all rows. */
  function clear(first: number, second: number) {
    const size = FRAMES * ROWS;
    const masks = new Float32Array(4 * size);
    for (let at = 0; at < size; at++) {
      const vocals = at < size / 2 ? first : second;
      masks.set([vocals], at);
      for (const source of [DRUMS, BASS, OTHER]) masks.set([(1 - vocals) / 3], source * size + at);
    }
    clearUnsung({ frames: FRAMES, rows: ROWS, powers: new Float32Array(size).fill(1), masks });
    return [0, FRAMES - 1].map((frame) =>
      [VOCALS, DRUMS, BASS, OTHER].map((source) => masks[source * size + frame * ROWS]),
    );
  }

  it('leaves vocals that own their sounds, and divides a small share of all sounds among the others', () => {
    const [sung, unsung] = clear(0.9, 0.1);
    expect(sung?.[VOCALS]).toBeCloseTo(0.9, 5);
    expect(unsung?.[VOCALS]).toBe(0);
    for (const source of [DRUMS, BASS, OTHER]) expect(unsung?.[source]).toBeCloseTo(1 / 3, 5);
  });

  it('keeps the sum', () => {
    for (const masks of clear(0.55, 0.3)) {
      expect(masks.reduce((sum: number, mask) => sum + (mask ?? 0), 0)).toBeCloseTo(1, 5);
    }
  });
});
