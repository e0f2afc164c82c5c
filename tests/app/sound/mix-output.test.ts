import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';

const PACKAGE = '@soundtouchjs/audio-worklet';
// Types of the tests know no sound of a page.
const MODULE: string = '../../../app/studio/sound/mix-output.ts';
const AS_RECORDED = { tempo: 1, semitones: 0 };

/** Output as far as it is used here. */
interface Output {
  open(): Promise<{ readonly context: FakeContext }>;
  setTuning(tuning: { readonly tempo: number; readonly semitones: number }): Promise<void>;
}

/** Node that remembers what it is connected to. */
class FakeNode {
  readonly gain = { value: 1 };
  readonly context: unknown;
  output: unknown;
  constructor(context?: unknown) {
    this.context = context;
  }
  connect(output: unknown): void {
    this.output = output;
  }
  disconnect(): void {
    this.output = undefined;
  }
}

class FakeContext {
  readonly destination = 'destination';
  readonly gains: FakeNode[] = [];
  async resume(): Promise<void> {}
  createGain(): FakeNode {
    this.gains.push(new FakeNode(this));
    return this.gains.at(-1) as FakeNode;
  }
}

const register = vi.fn<() => Promise<void>>();
vi.doMock(PACKAGE, () => ({
  SoundTouchNode: class extends FakeNode {
    static readonly register = register;
    readonly playbackRate = { value: 1 };
    readonly pitchSemitones = { value: 0 };
  },
}));
afterAll(() => vi.doUnmock(PACKAGE));

/** Opens an output of one sound. @returns it, and the node through which all of it is heard */
async function openOutput() {
  const { MixOutput } = await import(MODULE);
  const output: Output = new MixOutput(1);
  const { context } = await output.open();
  return { output, bus: context.gains[0] as FakeNode };
}

describe('the output of a mix', () => {
  beforeEach(() => {
    vi.stubGlobal('AudioContext', FakeContext);
    register.mockReset().mockResolvedValue();
  });

  test('is heard as wanted last, however long the shifter took to load', async () => {
    const { output, bus } = await openOutput();
    let finishLoading = () => {};
    register.mockReturnValue(
      new Promise((resolve) => {
        finishLoading = resolve;
      }),
    );
    const first = output.setTuning({ tempo: 1, semitones: 3 });
    await output.setTuning(AS_RECORDED);
    await vi.waitFor(() => expect(register).toHaveBeenCalled());
    finishLoading();
    await first;
    expect(bus.output).toBe('destination');
    await output.setTuning({ tempo: 1, semitones: -2 });
    expect(bus.output).toMatchObject({ pitchSemitones: { value: -2 }, output: 'destination' });
  });

  test('is shifted after a failed load, once the next one succeeds', async () => {
    const { output, bus } = await openOutput();
    register.mockRejectedValueOnce(new Error('offline'));
    await expect(output.setTuning({ tempo: 2, semitones: 0 })).rejects.toThrow('offline');
    await output.setTuning({ tempo: 2, semitones: 0 });
    expect(bus.output).toMatchObject({ playbackRate: { value: 2 } });
  });
});
