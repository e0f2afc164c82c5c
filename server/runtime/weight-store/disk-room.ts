import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperationError } from '../../../models/core/operation/errors.ts';
import type { WeightCard } from '../../../models/core/runtime/weight-card.ts';
import { isLockHeld, whenUnlocked, withFileLock } from './file-lock.ts';
import { getLock, getPart, getPath, sizeOf } from './weight-files.ts';

/** File of weights that takes room on the disk. */
export interface StoredFile {
  /** Id of the weights. */
  readonly id: string;
  readonly path: string;
  readonly bytes: number;
  /** Bytes that count against the limit: an unfinished download counts whole. */
  readonly countedBytes: number;
  /** Last use, in ms since the epoch. It lies ahead while the file is in use. */
  readonly usedAtMs: number;
  /** Whether it may be deleted: no process writes it, and a source has it. */
  readonly mayGo: boolean;
}

/** Bytes that lack: below the limit for all weights, and on the disk. Nothing lacks at 0 or less. */
interface Shortage {
  readonly ofLimit: number;
  readonly ofDisk: number;
}

interface EvictionPlan {
  readonly evicted: readonly StoredFile[];
  /** Whether nothing lacks once these are gone. */
  readonly isEnough: boolean;
}

export interface DiskRoomOptions {
  /** Folder of downloaded weights. */
  readonly directory: string;
  /** All weights that may lie there. Other files neither count nor are deleted. */
  readonly catalogue: readonly WeightCard[];
  /** Limit for the weights there together, in bytes. */
  readonly bytesMax: number;
  /** Room on the disk that downloads leave to everything else, in bytes. */
  readonly leftBytesMin: number;
  /** Reports whether a source has a file: others are not deleted. */
  readonly hasSource: (card: WeightCard) => Promise<boolean>;
  /** Reports whether a source has just confirmed that it has a file. */
  readonly isReached: (card: WeightCard, signal: AbortSignal) => Promise<boolean>;
}

export interface WantedRoom {
  /** Size of the file, whole. */
  readonly bytes: number;
  /** Whether others may go for it. */
  readonly mayEvict: boolean;
  readonly signal: AbortSignal;
}

/** Name of the lock of the process that counts the files. */
const LOCK = 'room.lock';

/** Weights that were deleted to make room for others. */
export interface Eviction {
  readonly id: string;
  readonly bytes: number;
  /** ISO 8601. */
  readonly at: string;
}

/**
 * Room for weights on a disk that several processes share. What was used least recently makes room for what is needed
 * now. Each deletion leaves a note next to the file, for logs and the health page.
 */
export class DiskRoom {
  readonly #options: DiskRoomOptions;

  constructor(options: DiskRoomOptions) {
    this.#options = options;
  }

  /** Reports whether a file could be stored here if all others were gone. */
  fits({ bytes }: WeightCard): boolean {
    return (bytes ?? 0) <= this.#options.bytesMax;
  }

  /**
   * Makes room for a file that is about to be downloaded, and begins its partial file: the next request counts it.
   * @throws OperationError `unavailable` when there would not be enough: then nothing is deleted
   */
  async makeRoom(card: WeightCard, wanted: WantedRoom): Promise<void> {
    const { directory } = this.#options;
    await this.#alone(wanted.signal, async () => {
      // A file that is taken into use by then stays, and the next plan does without it.
      while (await this.#evict(await this.#planRoom(card, wanted)));
      await writeFile(getPart(getPath(directory, card)), '', { flag: 'a' });
    });
  }

  async #planRoom(card: WeightCard, { bytes, mayEvict }: WantedRoom): Promise<EvictionPlan> {
    const { directory, bytesMax, leftBytesMin } = this.#options;
    const others = (await this.#list()).filter(({ id }) => id !== card.id);
    const missingBytes = bytes - ((await sizeOf(getPart(getPath(directory, card)))) ?? 0);
    const disk = await statfs(directory).catch(() => null);
    const shortage = {
      ofLimit: countedBytes(others) + bytes - bytesMax,
      ofDisk: disk ? leftBytesMin + Math.max(0, missingBytes) - disk.bavail * disk.bsize : 0,
    };
    const plan = planEvictions(mayEvict ? others : [], shortage, Date.now());
    if (!plan.isEnough) throw noRoom(card, bytes, shortage.ofDisk > 0 ? null : bytesMax);
    return plan;
  }

  /**
   * Deletes what lies beyond the limit, as far as it is not in use and its source responds: no download waits for the room,
   * and what could not be fetched again would be lost.
   * @returns the bytes beyond the limit that stay
   */
  async trim(signal: AbortSignal): Promise<number> {
    const before = await this.#list();
    if (this.#beyond(before) <= 0) return 0;
    // Asked before the lock: a network that does not respond delays no download.
    const reached = await this.#listReached(before, signal);
    return await this.#alone(signal, async () => {
      for (;;) {
        const files = await this.#list();
        const fetchable = files.filter(({ id }) => reached.has(id));
        const plan = planEvictions(fetchable, { ofLimit: this.#beyond(files), ofDisk: 0 }, Date.now());
        if (!(await this.#evict(plan))) return Math.max(0, this.#beyond(files));
      }
    });
  }

  #beyond(files: readonly StoredFile[]): number {
    return countedBytes(files) - this.#options.bytesMax;
  }

  async #listReached(files: readonly StoredFile[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { catalogue, isReached } = this.#options;
    const may = new Set(files.filter(({ mayGo }) => mayGo).map(({ id }) => id));
    const asked = catalogue.filter(({ id }) => may.has(id));
    const areReached = await Promise.all(asked.map((card) => isReached(card, signal)));
    return new Set(asked.filter((_, at) => areReached[at]).map(({ id }) => id));
  }

  /** Runs in one process at a time: others would count the same files. */
  #alone<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    return withFileLock(join(this.#options.directory, LOCK), { signal, onWait: async () => {} }, work);
  }

  /** Returns the bytes of all weights here, unfinished ones included. */
  async bytes(): Promise<number> {
    return (await this.#list()).reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Lists the weights that were deleted to make room and are not back, the last one first. */
  async evictions(): Promise<Eviction[]> {
    const { catalogue, directory } = this.#options;
    const found = await Promise.all(
      catalogue.map(async (card): Promise<Eviction[]> => {
        const path = evictionPath(getPath(directory, card));
        const at = await stat(path).catch(() => null);
        if (!at || (await sizeOf(getPath(directory, card))) !== null) return [];
        const bytes = Number(await readFile(path, 'utf8').catch(() => ''));
        return [{ id: card.id, bytes, at: at.mtime.toISOString() }];
      }),
    );
    return found.flat().toSorted((one, other) => other.at.localeCompare(one.at));
  }

  /**
   * Deletes the files of a plan, but none that came into use, or was fetched, since it was listed.
   * @returns whether the plan had any
   */
  async #evict({ evicted }: EvictionPlan): Promise<boolean> {
    for (const { id, path, bytes } of evicted) {
      const card = this.#options.catalogue.find((each) => each.id === id);
      if (!card) continue;
      const whole = getPath(this.#options.directory, card);
      // It never waits: the process that downloads that file may wait for the lock of this folder.
      await whenUnlocked(getLock(whole), async () => {
        const found = await stat(path).catch(() => null);
        if (path === whole && found && found.atimeMs > Date.now()) return;
        await rm(path, { force: true });
        // Only people read it.
        await writeFile(evictionPath(whole), `${bytes}`).catch(() => {});
      });
    }
    return evicted.length > 0;
  }

  async #list(): Promise<StoredFile[]> {
    const own = this.#options.catalogue.filter(({ url }) => url !== null);
    return (await Promise.all(own.map((card) => this.#find(card)))).flat();
  }

  async #find(card: WeightCard): Promise<StoredFile[]> {
    const path = getPath(this.#options.directory, card);
    const [whole, part] = await Promise.all(
      [path, getPart(path)].map((each) => stat(each).catch(() => null)),
    );
    if (!whole?.isFile() && !part?.isFile()) return [];
    const mayGo = !(await isLockHeld(getLock(path))) && (await this.#options.hasSource(card));
    const { id } = card;
    const files: StoredFile[] = [];
    if (whole?.isFile()) {
      const { size: bytes, atimeMs: usedAtMs } = whole;
      files.push({ id, path, bytes, countedBytes: bytes, usedAtMs, mayGo });
    }
    if (part?.isFile()) {
      const { size: bytes, mtimeMs: usedAtMs } = part;
      files.push({
        id,
        path: getPart(path),
        bytes,
        countedBytes: Math.max(bytes, card.bytes ?? 0),
        usedAtMs,
        mayGo,
      });
    }
    return files;
  }
}

/** Path of the note that tells when a file was deleted to make room: its text is the size, its mtime the time. */
export function evictionPath(path: string): string {
  return `${path}.evicted`;
}

function countedBytes(files: readonly StoredFile[]): number {
  return files.reduce((sum, file) => sum + file.countedBytes, 0);
}

/** @param bytesMax limit of all weights together; null where the disk itself has too little room */
function noRoom({ id }: WeightCard, bytes: number, bytesMax: number | null): OperationError {
  const reason =
    bytesMax === null
      ? 'the disk of DATA_DIR/models has too little room. Free some space'
      : `it has ${megabytes(bytes)} MB, and MODELS_DISK_MB leaves no room for it: it allows ${megabytes(bytesMax)} MB. Raise it`;
  return new OperationError(
    'unavailable',
    `${id}: ${reason}, or delete weights with "npm run models -- remove".`,
    { kind: 'storage_full' },
  );
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1e6);
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
