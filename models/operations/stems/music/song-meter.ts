import type { PcmChunk } from '../../../core/runtime/pcm.ts';
import { ChromaMeter } from './chroma-meter.ts';
import { findKey } from './musical-key.ts';
import { TempoMeter } from './tempo-meter.ts';

/** Tempo and key of a song. */
export interface SongFacts {
  /** In beats a minute; null where there is no beat. */
  readonly tempoBpm: number | null;
  /** Such as `A minor`; null where none fits. */
  readonly key: string | null;
}

/** Measures key and tempo of a song that comes in chunks. Memory is 100 numbers for each second. */
export class SongMeter {
  readonly #chroma: ChromaMeter;
  readonly #tempo: TempoMeter;

  /** @param sampleRate in Hz */
  constructor(sampleRate: number) {
    this.#chroma = new ChromaMeter(sampleRate);
    this.#tempo = new TempoMeter(sampleRate);
  }

  add(chunk: PcmChunk): void {
    const [first] = chunk;
    if (!first) return;
    for (let at = 0; at < first.length; at++) {
      let sum = 0;
      for (const channel of chunk) sum += channel[at];
      const sample = sum / chunk.length;
      this.#chroma.add(sample);
      this.#tempo.add(sample);
    }
  }

  finish(): SongFacts {
    const chroma = this.#chroma.finish();
    const tempo = this.#tempo.finish();
    return { tempoBpm: tempo === null ? null : Math.round(tempo), key: chroma && findKey(chroma) };
  }
}
