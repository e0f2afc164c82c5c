import { expect, it } from 'vitest';
import { reassignKicks } from '../../../../models/operations/stems/network-masker.ts';

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
