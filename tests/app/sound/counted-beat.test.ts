import { expect, test, vi } from 'vitest';

// Types of the tests know no sound of a page.
const MODULE: string = '../../../app/studio/sound/mix-player.ts';

interface MixPlayerModule {
  readonly MixPlayer: new () => {
    readonly beat: { get(): number };
    open(files: readonly Blob[], durationSeconds: number, sampleRate: number): () => void;
    setCountIn(countIn: { beats: number; beatSeconds: number }): void;
    toggle(): void;
  };
}

const frames: (() => void)[] = [];
const nextFrame = () => frames.shift()?.();

test('no beat stays on the screen when sounds close while they are counted in', async () => {
  vi.stubGlobal('navigator', { deviceMemory: 8 });
  vi.stubGlobal('requestAnimationFrame', (step: () => void) => frames.push(step));
  const voices = {
    start: async () => {},
    stop: () => {},
    position: () => 0,
    secondsToStart: () => 0.7,
    setGains: () => {},
    setTuning: async () => {},
    close: () => {},
  };
  vi.doMock('../../../app/studio/sound/buffered-voices.ts', () => ({
    openBufferedVoices: async () => voices,
  }));
  const { MixPlayer }: MixPlayerModule = await import(MODULE);
  const player = new MixPlayer();
  const close = player.open([new Blob([])], 10, 44_100);
  player.setCountIn({ beats: 4, beatSeconds: 0.5 });
  player.toggle();
  await vi.waitFor(() => expect(frames).toHaveLength(1));
  nextFrame();
  expect(player.beat.get()).toBe(3);
  close();
  nextFrame();
  expect(player.beat.get()).toBe(0);
  vi.unstubAllGlobals();
});
