import { KeyedBound } from './keyed-bound.ts';
import { OpenLimit } from './open-limit.ts';

/** Links of all clients at the same time, in this process. */
const places = new OpenLimit(128, 'Too many links are being fetched now. Try again soon.');
/** Links of one owner. A page fetches four at once, and an address may have several visitors. */
const owners = boundOf(8);
/** Links of all households of one IPv6 site. */
const sites = boundOf(32);

/**
 * Takes a place for a link, before any await.
 * @param owner account, or network of a client without one
 * @param site wider network of the client
 * @returns a function that releases the place; further calls do nothing
 * @throws OperationError `too_many_requests` when owner or site has all of theirs; `unavailable` when no place is free
 */
export function takeFetchPlace(owner: string, site: string): () => void {
  const taken: (() => void)[] = [];
  const release = (): void => {
    for (const leave of taken) leave();
  };
  try {
    taken.push(sites.enter(site, 1).leave);
    taken.push(owners.enter(owner, 1).leave);
    taken.push(places.take());
    return release;
  } catch (fault) {
    release();
    throw fault;
  }
}

function boundOf(max: number): KeyedBound {
  return new KeyedBound(max, `At most ${max} links are fetched for you at the same time.`);
}
