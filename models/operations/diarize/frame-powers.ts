import type { SampleSink } from './feed-samples.ts';

/** Mean power of each frame of a stream, the last one filled up with silence. */
export class FramePowers implements SampleSink {
  readonly values: number[] = [];
  readonly #frame: number;
  #sum = 0;
  #count = 0;

  /** @param frame samples of a frame */
  constructor(frame: number) {
    this.#frame = frame;
  }

  async push(samples: Float32Array): Promise<void> {
    for (const sample of samples) {
      this.#sum += sample * sample;
      this.#count += 1;
      if (this.#count === this.#frame) await this.finish();
    }
  }

  async finish(): Promise<void> {
    if (this.#count === 0) return;
    this.values.push(this.#sum / this.#frame);
    [this.#sum, this.#count] = [0, 0];
  }
}
