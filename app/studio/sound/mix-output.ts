import type { SoundTouchNode } from '@soundtouchjs/audio-worklet';

/** Time in which a gain moves to its new value, in seconds: shorter would click. */
const GLIDE_SECONDS = 0.01;

/** Tempo and pitch at which sounds are heard. Neither changes the other. */
export interface Tuning {
  /** 1 is the recorded tempo. */
  readonly tempo: number;
  /** Change of pitch, -12 to 12. */
  readonly semitones: number;
}

export const AS_RECORDED: Tuning = { tempo: 1, semitones: 0 };

/** Time that the shifter of pitch holds sounds back, in seconds. */
const SHIFTER_SECONDS = 0.1;

/** Output of a mix: a gain for each sound, and a shifter of pitch while they are not played as recorded. */
export class MixOutput {
  readonly #count: number;
  readonly #options: AudioContextOptions;
  #opened: { context: AudioContext; bus: GainNode; inputs: readonly GainNode[] } | undefined;
  #shifter: Promise<SoundTouchNode> | undefined;
  #isShifted = false;
  #wanted: readonly number[] = [];
  #tuning = AS_RECORDED;

  constructor(count: number, options: AudioContextOptions = {}) {
    this.#count = count;
    this.#options = options;
  }

  get tempo(): number {
    return this.#tuning.tempo;
  }

  /** Opens the output: only after a press may it be heard. @returns the input of each sound, and that of all */
  async open(): Promise<{ context: AudioContext; bus: GainNode; inputs: readonly GainNode[] }> {
    if (!this.#opened) {
      const context = new AudioContext(this.#options);
      // Safari counts what comes after a wait as no part of the press.
      context.resume().catch(() => {});
      const bus = context.createGain();
      bus.connect(context.destination);
      const inputs = createGains(bus, this.#count);
      for (const [at, { gain }] of inputs.entries()) gain.value = this.#wanted[at] ?? 1;
      this.#opened = { context, bus, inputs };
    }
    await this.#tune();
    return this.#opened;
  }

  setGains(gains: readonly number[]): void {
    this.#wanted = gains;
    if (this.#opened) applyGains(this.#opened.context, this.#opened.inputs, gains);
  }

  /** @throws DOMException when the shifter of pitch cannot be loaded */
  async setTuning(tuning: Tuning): Promise<void> {
    this.#tuning = tuning;
    await this.#tune();
  }

  /** Returns the time that was heard last, on the clock of the output, in seconds. */
  heardAt(): number {
    const { currentTime = 0, outputLatency = 0 } = this.#opened?.context ?? {};
    return currentTime - outputLatency - (this.#isShifted ? SHIFTER_SECONDS : 0);
  }

  close(): void {
    void this.#opened?.context.close();
  }

  async #tune(): Promise<void> {
    if (!this.#opened) return;
    const { context, bus } = this.#opened;
    const shifter = isChanged(this.#tuning) ? await this.#openShifter(context) : undefined;
    // The shifter may have taken its time: what is wanted by now counts.
    const { tempo, semitones } = this.#tuning;
    const isShifted = shifter !== undefined && isChanged(this.#tuning);
    if (isShifted) {
      // Sounds that play faster are higher: the shifter takes that back.
      shifter.playbackRate.value = tempo;
      shifter.pitchSemitones.value = semitones;
    }
    if (isShifted === this.#isShifted) return;
    this.#isShifted = isShifted;
    bus.disconnect();
    bus.connect(isShifted ? shifter : context.destination);
  }

  #openShifter(context: AudioContext): Promise<SoundTouchNode> {
    this.#shifter ??= openShifter(context).catch((thrown) => {
      // The next change tries again.
      this.#shifter = undefined;
      throw thrown;
    });
    return this.#shifter;
  }
}

function isChanged({ tempo, semitones }: Tuning): boolean {
  return tempo !== 1 || semitones !== 0;
}

async function openShifter(context: AudioContext): Promise<SoundTouchNode> {
  const { SoundTouchNode: Shifter } = await import('@soundtouchjs/audio-worklet');
  await Shifter.register(context, PROCESSOR.href);
  const shifter = new Shifter({ context });
  shifter.connect(context.destination);
  return shifter;
}

const PROCESSOR = new URL(
  '../../../node_modules/@soundtouchjs/audio-worklet/.dist/soundtouch-processor.js',
  import.meta.url,
);

/** Creates one gain for each sound, all into one output. */
function createGains(output: AudioNode, count: number): readonly GainNode[] {
  return Array.from({ length: count }, () => {
    const gain = output.context.createGain();
    gain.connect(output);
    return gain;
  });
}

/** Moves each gain to its value. A sound without a value keeps its own level. */
function applyGains(context: AudioContext, nodes: readonly GainNode[], gains: readonly number[]): void {
  for (const [at, { gain }] of nodes.entries()) {
    gain.setTargetAtTime(gains[at] ?? 1, context.currentTime, GLIDE_SECONDS);
  }
}
