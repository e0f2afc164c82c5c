import { OperationError } from '../../../models/core/operation/errors.ts';
import { KeyedSemaphores } from '../../base/keyed-semaphores.ts';

/** Fetches of one owner at the same time, in this process; the next ones wait for their turn. */
const OWNER_MAX = 16;
/** Half of them for one host: a slow one leaves slots for the owner's other hosts. */
const HOST_MAX = 8;
const WAITING_MAX = 100;

/** Who waits for a fetch or a look-up. */
export interface FetchOwner {
  /** Account, or network of a client without one. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/** Owners take turns within bounds of their own, so that none occupies the sockets and name look-ups of the others. */
class FetchSemaphores {
  readonly #owners = new KeyedSemaphores(OWNER_MAX);
  readonly #hosts = new KeyedSemaphores(HOST_MAX);

  /**
   * Waits for a slot among the fetches of an owner, and among those from one host.
   * @returns a function that gives the slot back
   * @throws OperationError `too_many_requests` when too many wait already; the signal's reason once aborted
   */
  async enter({ owner, signal }: FetchOwner, hostname: string): Promise<() => void> {
    if (this.#owners.users(owner) >= OWNER_MAX + WAITING_MAX) {
      throw new OperationError(
        'too_many_requests',
        `At most ${OWNER_MAX} URLs are fetched for you at the same time, and ${WAITING_MAX} more may wait. Send fewer requests at once.`,
      );
    }
    const ofOwner = this.#owners.join(owner);
    const ofHost = this.#hosts.join(`${owner} ${hostname}`);
    const releases: (() => void)[] = [ofOwner.leave, ofHost.leave];
    const leave = () => {
      for (const release of releases.splice(0)) release();
    };
    try {
      // The host's slot first: a fetch that waits for a slow host holds none of the owner's slots.
      releases.push(await ofHost.semaphore.acquire(signal));
      releases.push(await ofOwner.semaphore.acquire(signal));
      return leave;
    } catch (thrown) {
      leave();
      throw thrown;
    }
  }
}

/** Turns of all fetches and look-ups of this process. */
export const fetchSemaphores = new FetchSemaphores();
