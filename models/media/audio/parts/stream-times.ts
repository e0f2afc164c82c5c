import { secondsBetween } from '../formats/mpeg/pes-packet.ts';

/** Step back in the times of an audio stream that tells another file: packets of one are in order. */
const BACK_SECONDS = 0.5;

/** Times of the audio streams of an MPEG file, which tell where another file was joined to it. */
export class StreamTimes<Key> {
  readonly #times = new Map<Key, number>();

  /** Adds the time of a packet. @returns whether it goes back, so that another file has begun */
  add(key: Key, time: number): boolean {
    const before = this.#times.get(key);
    const goesBack = before !== undefined && secondsBetween(before, time) < -BACK_SECONDS;
    if (goesBack) this.#times.clear();
    this.#times.set(key, time);
    return goesBack;
  }
}
