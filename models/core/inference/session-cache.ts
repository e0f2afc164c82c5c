import type { Session } from '../runtime/inference.ts';
import type { WeightCard } from '../runtime/weight-card.ts';

export interface OpenSession extends Session {
  /** Whether the session runs on a lesser provider because a better one failed. */
  readonly isFallback: boolean;
  release(): Promise<void>;
}

interface Entry {
  readonly card: WeightCard;
  readonly session: Promise<OpenSession>;
  users: number;
  /** Expiry: the session is not reused later than this, by `performance.now()`. */
  endsAtMs: number;
}

/** Lifetime of a fallback session: its cause may have passed by then. */
const FALLBACK_MS_MAX = 5 * 60_000;

/**
 * Cache of warm sessions within a memory limit. Evicts the least recently used one; a session in use is never
 * evicted, so concurrent runs can exceed the limit.
 */
export class SessionCache {
  /** Entries by SHA-256, in order of last use. */
  readonly #entries = new Map<string, Entry>();
  readonly #memoryBytesMax: number;

  constructor({ memoryBytesMax }: { memoryBytesMax: number }) {
    this.#memoryBytesMax = memoryBytesMax;
  }

  /** Total size of all sessions by their cards, including those in use. */
  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, { card }) => sum + card.memoryBytes, 0);
  }

  /**
   * Runs `work` on a session.
   * @param open makes the session if none is warm. A session whose work failed is not reused.
   */
  async use<Result>(
    card: WeightCard,
    open: () => Promise<OpenSession>,
    work: (session: OpenSession) => Promise<Result>,
  ): Promise<Result> {
    const known = this.#entries.get(card.sha256);
    this.#entries.delete(card.sha256);
    const entry = known && performance.now() < known.endsAtMs ? known : this.#enter(card, open, known);
    this.#entries.set(card.sha256, entry);
    entry.users += 1;
    try {
      const session = await entry.session;
      const result = await work(session);
      if (session.isFallback) entry.endsAtMs = Math.min(entry.endsAtMs, performance.now() + FALLBACK_MS_MAX);
      return result;
    } catch (error) {
      if (this.#entries.get(card.sha256) === entry) this.#entries.delete(card.sha256);
      throw error;
    } finally {
      entry.users -= 1;
      if (this.#entries.get(card.sha256) !== entry) await this.#drop(entry);
    }
  }

  /** Closes every idle session. */
  async clear(): Promise<void> {
    for (const entry of [...this.#entries.values()]) await this.#drop(entry);
  }

  /**
   * Adds an entry.
   * @param former expired entry: it is evicted, or its last user closes it
   */
  #enter(card: WeightCard, open: () => Promise<OpenSession>, former: Entry | undefined): Entry {
    const room = Promise.all([this.#makeRoomFor(card), former && this.#drop(former)]);
    return { card, users: 0, endsAtMs: Number.POSITIVE_INFINITY, session: room.then(open) };
  }

  async #makeRoomFor(card: WeightCard): Promise<void> {
    let wantedBytes = this.bytes + card.memoryBytes;
    for (const entry of [...this.#entries.values()]) {
      if (wantedBytes <= this.#memoryBytesMax) return;
      if (await this.#drop(entry)) wantedBytes -= entry.card.memoryBytes;
    }
  }

  async #drop(entry: Entry): Promise<boolean> {
    if (entry.users > 0) return false;
    const { sha256 } = entry.card;
    if (this.#entries.get(sha256) === entry) this.#entries.delete(sha256);
    // A session that never opened, or is broken, has nothing to release.
    await entry.session.then((session) => session.release()).catch(() => {});
    return true;
  }
}
