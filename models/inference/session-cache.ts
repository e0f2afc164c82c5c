import type { Session } from '../inference.ts';
import type { WeightCard } from '../weights/weight-card.ts';

export interface OpenSession extends Session {
  /** Whether it runs on less than the best there is, since that has failed. */
  readonly isFallback: boolean;
  release(): Promise<void>;
}

interface Entry {
  readonly card: WeightCard;
  readonly session: Promise<OpenSession>;
  users: number;
  /** From when on it is not given out any more, by `Date.now()`. */
  endsAtMs: number;
}

/** What made a session fall back may have passed by then. */
const FALLBACK_MS_MAX = 5 * 60_000;

/**
 * Warm sessions within a memory limit. The one that has not been used for longest goes first; one in use never goes,
 * so what runs at the same time can pass the limit.
 */
export class SessionCache {
  /** By SHA-256, in order of last use. */
  readonly #entries = new Map<string, Entry>();
  readonly #memoryBytesMax: number;

  constructor({ memoryBytesMax }: { memoryBytesMax: number }) {
    this.#memoryBytesMax = memoryBytesMax;
  }

  /** What all sessions hold by their cards, those in use included. */
  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, { card }) => sum + card.memoryBytes, 0);
  }

  /** @param open makes the session if there is no warm one. A session whose work failed is not met again. */
  async use<Result>(
    card: WeightCard,
    open: () => Promise<OpenSession>,
    work: (session: OpenSession) => Promise<Result>,
  ): Promise<Result> {
    const known = this.#entries.get(card.sha256);
    this.#entries.delete(card.sha256);
    const entry = known && Date.now() < known.endsAtMs ? known : this.#enter(card, open, known);
    this.#entries.set(card.sha256, entry);
    entry.users += 1;
    try {
      const session = await entry.session;
      const result = await work(session);
      if (session.isFallback) entry.endsAtMs = Math.min(entry.endsAtMs, Date.now() + FALLBACK_MS_MAX);
      return result;
    } catch (error) {
      if (this.#entries.get(card.sha256) === entry) this.#entries.delete(card.sha256);
      throw error;
    } finally {
      entry.users -= 1;
      if (this.#entries.get(card.sha256) !== entry) await this.#drop(entry);
    }
  }

  /** Ends every session that is not in use. */
  async clear(): Promise<void> {
    for (const entry of [...this.#entries.values()]) await this.#drop(entry);
  }

  /** @param former whose time is over: it makes room, or its last user ends it */
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
    // One that never opened, or is broken, has nothing left to give back.
    await entry.session.then((session) => session.release()).catch(() => {});
    return true;
  }
}
