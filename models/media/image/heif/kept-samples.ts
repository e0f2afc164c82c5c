import type { Bytes } from '../../bytes/byte-writer.ts';

interface Kept {
  readonly file: Bytes;
  readonly samples: Bytes;
}

/** Samples of the files that were decoded last: a visitor changes a setting, and the same file is decoded again. */
export class KeptSamples {
  /** In order of last use. */
  #kept: readonly Kept[] = [];
  readonly #bytesMax: number;

  /** @param bytesMax most bytes of all files and samples that are kept */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /**
   * Fills a room with the samples of a file.
   * @param decode writes them, where they are not kept
   */
  fill(file: Bytes, room: Bytes, decode: (room: Bytes) => void): void {
    const known = this.#kept.find((each) => each.samples.length === room.length && isSame(each.file, file));
    if (known) room.set(known.samples);
    else decode(room);
    const kept = known ?? { file: file.slice(), samples: room.slice() };
    this.#kept = this.#fitting([...this.#kept.filter((each) => each !== known), kept]);
  }

  /** Returns the last ones that fit. */
  #fitting(all: readonly Kept[]): readonly Kept[] {
    const fitting: Kept[] = [];
    let bytes = 0;
    for (const kept of all.toReversed()) {
      bytes += kept.file.length + kept.samples.length;
      if (bytes > this.#bytesMax) break;
      fitting.unshift(kept);
    }
    return fitting;
  }
}

function isSame(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
