/** File of weights that takes room on the disk. */
export interface StoredFile {
  /** Id of the weights. */
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  /** What it counts against the limit, in bytes: an unfinished download counts whole. */
  readonly countedBytes: number;
  /** Last use, in ms since the epoch. It lies ahead while the file is in use. */
  readonly usedAtMs: number;
  /** Whether it may be deleted: no process writes it, and a source has it. */
  readonly mayGo: boolean;
}

/** Bytes that lack: below the limit for all weights, and on the disk. Nothing lacks at 0 or less. */
export interface Shortage {
  readonly ofLimit: number;
  readonly ofDisk: number;
}

export interface EvictionPlan {
  readonly evicted: readonly StoredFile[];
  /** Whether nothing lacks once these are gone. */
  readonly isEnough: boolean;
}

/**
 * Chooses the files to delete: those that are not in use, the least recently used first, and no more than needed.
 * @param nowMs ms since the epoch
 */
export function planEvictions(
  files: readonly StoredFile[],
  { ofLimit, ofDisk }: Shortage,
  nowMs: number,
): EvictionPlan {
  const evicted: StoredFile[] = [];
  let [limit, disk] = [ofLimit, ofDisk];
  const candidates = files.filter(({ mayGo, usedAtMs }) => mayGo && usedAtMs <= nowMs);
  for (const file of candidates.toSorted((one, other) => one.usedAtMs - other.usedAtMs)) {
    if (limit <= 0 && disk <= 0) break;
    evicted.push(file);
    limit -= file.countedBytes;
    disk -= file.bytes;
  }
  return { evicted, isEnough: limit <= 0 && disk <= 0 };
}
