import { OperationError } from '../../../models/core/operation/errors.ts';
import { KeyedLimit, OpenLimit } from './keyed-limit.ts';

/** Links of all clients that are fetched and probed at the same time, in this process. */
const activeFetches = new OpenLimit(128, 'Too many links are being fetched now. Try again soon.');
/** Fetched links of all clients that are still being read: each occupies disk. */
const activeReads = new OpenLimit(512, 'Too many links are being read now. Try again soon.');
/** Bytes of all links that are fetched or read, in this process. */
let bytesHeld = 0;
/** Links of one owner. A page fetches four at once, and an address may have several visitors. */
const ownerLimit = createLinkLimit(8);
/** Links of all households of one IPv6 site. */
const siteLimit = createLinkLimit(32);

/** Place of a link. */
export interface LinkAllowance {
  /**
   * Counts bytes that arrive, until the place is released.
   * @throws OperationError `unavailable` when the links of all clients have too many
   */
  count(bytes: number): void;
  /**
   * Makes room for the fetches of others, once the file is here and only waits to be read.
   * @throws OperationError `unavailable` when too many files wait
   */
  endFetch(): void;
  /** Releases the place. Further calls do nothing. */
  release(): void;
}

/**
 * Takes a place for a link, before any await.
 * @param owner account, or network of a client without one
 * @param site wider network of the client
 * @param bytesMax most bytes of the links of all clients together
 * @throws OperationError `too_many_requests` when owner or site has all of theirs; `unavailable` when no place is free
 */
export function acquireLinkAllowance(
  owner: string,
  site: string,
  bytesMax = Number.POSITIVE_INFINITY,
): LinkAllowance {
  const taken: (() => void)[] = [];
  const leave = (): void => {
    for (const release of taken) release();
  };
  try {
    taken.push(siteLimit.acquire(site, 1).release);
    taken.push(ownerLimit.acquire(owner, 1).release);
    const endFetch = activeFetches.acquire();
    taken.push(endFetch);
    let bytesOwn = 0;
    taken.push(() => {
      bytesHeld -= bytesOwn;
      bytesOwn = 0;
    });
    return {
      count(bytes) {
        if (bytesHeld + bytes > bytesMax) {
          throw new OperationError(
            'unavailable',
            'The links of all visitors are too large now. Try again soon.',
          );
        }
        bytesHeld += bytes;
        bytesOwn += bytes;
      },
      endFetch() {
        taken.push(activeReads.acquire());
        endFetch();
      },
      release: leave,
    };
  } catch (fault) {
    leave();
    throw fault;
  }
}

function createLinkLimit(max: number): KeyedLimit {
  return new KeyedLimit(max, `At most ${max} links are fetched for you at the same time.`);
}
