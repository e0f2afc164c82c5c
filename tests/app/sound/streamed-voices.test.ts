import { afterAll, beforeEach, expect, test, vi } from 'vitest';

// Types of the tests know no sound of a page.
const MODULE: string = '../../../app/studio/sound/streamed-voices.ts';
const COUNT_IN = { beats: 2, beatSeconds: 0.02 };

interface Voices {
  start(fromSeconds: number, loop: undefined, countIn?: typeof COUNT_IN): Promise<void>;
}

let isPressed = false;
const sounds: CarefulSound[] = [];

/** Sound of a browser like Safari, which scripts may play once a press did. */
class CarefulSound {
  isPlaying = false;
  currentTime = 0;
  #isAllowed = false;
  constructor() {
    sounds.push(this);
  }
  async play(): Promise<void> {
    this.#isAllowed ||= isPressed;
    if (!this.#isAllowed) throw new DOMException('It needs a press.', 'NotAllowedError');
    this.isPlaying = true;
  }
  pause(): void {
    this.isPlaying = false;
  }
}

class FakeNode {
  readonly gain = { value: 1, setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
  readonly context: unknown;
  constructor(context?: unknown) {
    this.context = context;
  }
  connect(output: unknown): unknown {
    return output;
  }
  disconnect(): void {}
  start(): void {}
  stop(): void {}
}

class FakeContext {
  readonly destination = new FakeNode();
  readonly currentTime = 0;
  readonly createGain = () => new FakeNode(this);
  readonly createMediaElementSource = () => new FakeNode(this);
  readonly resume = async () => {};
}

beforeEach(() => {
  sounds.length = 0;
  vi.stubGlobal('Audio', CarefulSound);
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('OscillatorNode', FakeNode);
  vi.stubGlobal('GainNode', FakeNode);
});
afterAll(() => vi.unstubAllGlobals());

/** Calls back as a press of a button does: only what happens at once is part of it. */
function press<Result>(act: () => Result): Result {
  isPressed = true;
  try {
    return act();
  } finally {
    isPressed = false;
  }
}

test.each([
  ['at once', undefined],
  ['after a count-in', COUNT_IN],
] as const)('all sounds play %s where a browser takes only what a press plays', async (_, countIn) => {
  const { StreamedVoices } = await import(MODULE);
  const voices: Voices = new StreamedVoices([new Blob([]), new Blob([])]);
  const started = press(() => voices.start(3, undefined, countIn));
  expect(sounds.map(({ isPlaying }) => isPlaying)).toEqual([false, false]);
  await started;
  expect(sounds.map(({ isPlaying, currentTime }) => ({ isPlaying, currentTime }))).toEqual([
    { isPlaying: true, currentTime: 3 },
    { isPlaying: true, currentTime: 3 },
  ]);
});
