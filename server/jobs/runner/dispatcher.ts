import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '../../base/database/db.ts';
import type { Logger } from '../../base/log.ts';
import { findOutage } from '../../base/outage.ts';
import {
  awaitLook,
  claimEntry,
  type LaneLimits,
  listDueEntries,
  type QueueEntry,
  type QueueLane,
  releaseEntry,
} from '../../base/queue/index.ts';

/** Room on this machine for the work on an entry. */
export interface Reservation {
  release(): void;
}

/** Request of an entry for room. */
export interface RoomRequest {
  /** Aborts when the entry no longer needs room. */
  readonly signal: AbortSignal;
  /** Returns its current place among the lane's entries; the lowest comes first. */
  order(): number;
}

export interface DispatcherOptions<Taken, Room extends Reservation> {
  readonly db: Db;
  readonly log: Logger;
  readonly lane: QueueLane;
  /** Name under which entries are taken. */
  readonly workerId: string;
  /** Limit on the entries worked on at once; without effect where there is `admit`, which decides. */
  readonly placesMax: number;
  /** Limit for one account on this machine. */
  readonly accountMax?: number;
  /** Limits over all machines. */
  readonly bounds?: LaneLimits;
  /** Reports whether one more entry may start now. Absent where nothing but the database is needed. */
  readonly mayStart?: () => boolean;
  /**
   * Waits for room for an entry, which stays free for other runners until then. Absent where a place is all it takes.
   * @throws once the request's signal aborts
   */
  readonly admit?: (entry: QueueEntry, request: RoomRequest) => Promise<Room>;
  /**
   * Takes an entry under the name of the worker.
   * @returns what the work needs; undefined when another worker has it, or nothing is left to do
   */
  readonly take: (entry: QueueEntry) => Promise<Taken | undefined>;
  /**
   * Works on a taken entry, and removes it, changes its time or puts it back. When it throws, or the taking, the entry
   * is put back: after a pause, or at once where this runner stops.
   */
  readonly work: (taken: Taken, room: Room | undefined) => Promise<void>;
  /** Aborts when work is broken off. */
  readonly signal: AbortSignal;
}

export interface Dispatcher {
  /** Polls for due entries: there may be new ones. */
  poll(): void;
  /** Polls after an entry was queued, unless as many as it looks at wait for room here already. */
  announce(): void;
  /** Takes nothing new, and waits for running work. Never rejects. */
  stop(): Promise<void>;
}

/** Entries that may wait for room at once: a small one may find room behind many large ones. */
export const LOOKAHEAD = 32;
const RETRY_MS = 1_000;

/** Returns the taking of entries whose work needs no more than their id, within the bounds of their lane. */
export function takeEntries({
  db,
  workerId,
  bounds,
}: Pick<DispatcherOptions<QueueEntry, Reservation>, 'db' | 'workerId' | 'bounds'>) {
  return async (entry: QueueEntry): Promise<QueueEntry | undefined> =>
    (await claimEntry(db, entry, workerId, bounds)) ? entry : undefined;
}

interface WaitingEntry {
  readonly accountId: string;
  readonly giveUp: AbortController;
  order: number;
}

/** Works on the entries of a lane, those of all accounts in turn, as places and room become free. */
export function startDispatcher<Taken, Room extends Reservation>(
  options: DispatcherOptions<Taken, Room>,
): Dispatcher {
  const dispatcher = new LaneDispatcher(options);
  dispatcher.poll();
  void dispatcher.look();
  return dispatcher;
}

class LaneDispatcher<Taken, Room extends Reservation> implements Dispatcher {
  readonly #options: DispatcherOptions<Taken, Room>;
  readonly #stopping = new AbortController();
  /** Entries that wait for room. */
  readonly #wanted = new Map<string, WaitingEntry>();
  /** Entries at work, with their accounts. */
  readonly #running = new Map<string, { readonly accountId: string; readonly ended: Promise<void> }>();
  /** Whether the last look showed every due entry, and each waits for room here: then an end makes none due. */
  #sawAll = false;
  #polling: Promise<void> | undefined;
  #pollsAgain = false;

  constructor(options: DispatcherOptions<Taken, Room>) {
    this.#options = options;
  }

  /** Polls now and then: retried entries come due without notice. Ends with the dispatcher. */
  async look(): Promise<void> {
    const { db, lane } = this.#options;
    while (!this.#isStopped) {
      // Those that wait for room may be due no more.
      await awaitLook(db, lane, this.#stopping.signal, () => this.#wanted.size > 0);
      this.poll();
    }
  }

  poll(): void {
    this.#pollsAgain = this.#polling !== undefined;
    if (this.#polling || this.#isStopped) return;
    const { log, lane } = this.#options;
    this.#polling = this.#pollOnce()
      .catch((err: unknown) => log.debug({ err, lane }, 'could not poll the queue'))
      .finally(() => {
        this.#polling = undefined;
        if (this.#pollsAgain) this.poll();
      });
  }

  announce(): void {
    // All runners hear of each entry: while many wait, their looking for it would cost more than its run.
    if (this.#wanted.size < LOOKAHEAD) this.poll();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { giveUp } of this.#wanted.values()) giveUp.abort();
    await this.#polling;
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #pollOnce(): Promise<void> {
    const { db, lane, bounds, mayStart = () => true } = this.#options;
    if (!this.#hasPlace()) return;
    const knownAccounts = [...this.#wanted.values()].map(({ accountId }) => accountId);
    const options = { limit: LOOKAHEAD, knownAccounts, ...(bounds && { bounds }) };
    this.#sawAll = false;
    const entries = await listDueEntries(db, lane, options);
    if (this.#isStopped) return;
    const ids = new Set(entries.map(({ id }) => id));
    for (const [id, { giveUp }] of this.#wanted) if (!ids.has(id)) giveUp.abort();
    for (const [order, entry] of entries.entries()) {
      const known = this.#wanted.get(entry.id);
      if (known) known.order = order;
      else if (this.#mayAdmit(entry) && mayStart()) void this.#admit(entry, order);
    }
    // Bounds keep entries out of a look, which an end may let in.
    const isUnbounded = this.#options.admit !== undefined && !bounds;
    this.#sawAll =
      isUnbounded && entries.length < LOOKAHEAD && entries.every(({ id }) => this.#wanted.has(id));
  }

  /** Reports whether an end may let another entry start, or change the order of those that wait. */
  #endMatters(): boolean {
    const accounts = new Set([...this.#wanted.values()].map(({ accountId }) => accountId));
    return !this.#sawAll || accounts.size > 1;
  }

  /** Returns whether the lane has a place. Entries that wait for memory are chosen where they wait. */
  #hasPlace(): boolean {
    const { admit, placesMax } = this.#options;
    return admit !== undefined || this.#running.size < placesMax;
  }

  #mayAdmit({ id, accountId }: QueueEntry): boolean {
    const { accountMax = Number.POSITIVE_INFINITY } = this.#options;
    const own = [...this.#running.values()].filter((run) => run.accountId === accountId);
    return !this.#running.has(id) && this.#hasPlace() && own.length < accountMax;
  }

  /** Makes room for an entry and works on it. Never rejects. */
  async #admit(entry: QueueEntry, order: number): Promise<void> {
    const { admit, log, lane } = this.#options;
    if (!admit) return this.#begin(entry, undefined);
    const { accountId } = entry;
    const request: WaitingEntry = { accountId, giveUp: new AbortController(), order };
    const { signal } = request.giveUp;
    this.#wanted.set(entry.id, request);
    try {
      const room = await admit(entry, { signal, order: () => request.order });
      this.#wanted.delete(entry.id);
      this.#begin(entry, room);
    } catch (err) {
      this.#wanted.delete(entry.id);
      if (!signal.aborted) log.warn({ err, lane }, 'could not make room for an entry');
    }
  }

  #begin(entry: QueueEntry, room: Room | undefined): void {
    const { log, lane } = this.#options;
    const ended = this.#takeAndWork(entry, room).then(
      () => true,
      (err: unknown) => {
        log.warn({ err, lane }, 'could not take an entry, or put it back');
        return false;
      },
    );
    const settled = ended.then((hasEnded) => {
      this.#running.delete(entry.id);
      room?.release();
      // After an error the next poll comes by the clock: during an outage each would follow the other at once.
      if (hasEnded && this.#endMatters()) this.poll();
    });
    this.#running.set(entry.id, { accountId: entry.accountId, ended: settled });
  }

  async #takeAndWork(entry: QueueEntry, room: Room | undefined): Promise<void> {
    const { take, work, log, lane } = this.#options;
    try {
      if (this.#isStopped) return;
      const taken = await take(entry);
      if (taken !== undefined) await work(taken, room);
    } catch (err) {
      // The server may also have committed a taking whose response was lost.
      // No retry helps before this process is started with the key, so an operator must see it.
      const level = findOutage(err)?.dependency === 'secrets key' ? 'error' : 'debug';
      log[level]({ err, lane, id: entry.id }, 'an entry is put back');
      await this.#putBack(entry.id);
    }
  }

  /** Tries until it succeeds: no other process puts an entry back while this runner lives. */
  async #putBack(id: string): Promise<void> {
    const { db, workerId, signal } = this.#options;
    for (;;) {
      try {
        return await releaseEntry(db, id, workerId, { hasFailed: !signal.aborted });
      } catch (err) {
        if (this.#isStopped) throw err;
        await wait(RETRY_MS);
      }
    }
  }
}
