import type { Logger } from '../log.ts';
import {
  type ChildOptions,
  type RunEnd,
  type RunnerChild,
  type RunOptions,
  startChild,
} from './child-process.ts';
import type { RunRequest } from './protocol.ts';
import { residentBytes } from './resident-memory.ts';
import { createTurns } from './turns.ts';

/** A child that has done this many runs is replaced, whatever it may have leaked. */
const RUNS_MAX = 500;
/** A child that holds more than this between runs, beside its warm networks, is replaced. */
const IDLE_BYTES_MAX = 500_000_000;
const RESTART_DELAY_MS = 1_000;

export interface ChildPoolOptions extends ChildOptions {
  /** How many children there are, and so how many runs at once. */
  readonly size: number;
  readonly log: Logger;
}

export interface ChildPool {
  /** Waits until every child that is starting has started. */
  warm(): Promise<void>;
  /** One run, in a process that does nothing else meanwhile, as soon as one is free. Never rejects. */
  run(request: RunRequest, options: RunOptions): Promise<RunEnd>;
  /** Kills every child; runs that are under way end as `crashed`. */
  close(): void;
}

interface Seat {
  readonly child: RunnerChild;
  runs: number;
  networkBytes: number;
}

/**
 * Keeps children warm, so that a run starts without the start of a process. A child whose run went well is used again;
 * one that failed, crashed or has grown may be damaged by what it read, and is thrown away.
 */
export function createChildPool(options: ChildPoolOptions): ChildPool {
  const seats = new Set<Seat>();
  /** The last one is taken first: those that have run before stand behind those that may still be starting. */
  let idle: Seat[] = [];
  let closed = false;
  const turns = createTurns(options.size);

  const refill = (): void => {
    while (!closed && seats.size < options.size) idle.unshift(open());
  };
  const leave = (seat: Seat): void => {
    seats.delete(seat);
    idle = idle.filter((other) => other !== seat);
    seat.child.kill();
  };
  const open = (): Seat => {
    const seat: Seat = { child: startChild(options), runs: 0, networkBytes: 0 };
    seats.add(seat);
    void Promise.all([seat.child.ready, seat.child.exited]).then(([wasReady]) => {
      leave(seat);
      if (wasReady || closed) return refill();
      options.log.error({ pid: seat.child.pid }, 'a child ended before it was ready');
      setTimeout(refill, RESTART_DELAY_MS).unref();
    });
    return seat;
  };
  const giveBack = async (seat: Seat, end: RunEnd): Promise<void> => {
    seat.runs += 1;
    if (end.kind === 'done') seat.networkBytes = end.networkBytes;
    const fit =
      end.kind === 'done' &&
      seat.runs < RUNS_MAX &&
      seats.size <= options.size &&
      (await residentBytes(seat.child.pid)) < IDLE_BYTES_MAX + seat.networkBytes;
    if (fit && seats.has(seat)) idle.push(seat);
    else leave(seat);
  };

  refill();
  return {
    async warm() {
      await Promise.all([...seats].map((seat) => seat.child.ready));
    },
    async run(request, runOptions) {
      const endTurn = await turns.take(runOptions.signal);
      if (!endTurn) return { kind: 'stopped' };
      const seat = idle.pop() ?? open();
      if (!(await seat.child.ready)) {
        endTurn();
        return { kind: 'crashed', signal: null, detail: 'no child could be started' };
      }
      const end = await seat.child.run(request, { ...runOptions, networkBytes: seat.networkBytes });
      // Before anyone hears of the end: whoever comes next finds the seat in its place, warm.
      await giveBack(seat, end);
      endTurn();
      return end;
    },
    close() {
      closed = true;
      for (const seat of seats) leave(seat);
    },
  };
}
