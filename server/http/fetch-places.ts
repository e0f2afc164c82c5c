import { OperationError } from '../../models/errors.ts';
import { OpenLimit } from './open-limit.ts';

/** Links of all clients at the same time, in this process. */
const PLACES = 128;
/** Links of one owner. A page fetches four at once, and an address may have several visitors. */
const OWNER_MAX = 8;
/** Links of all households of one IPv6 site. */
const SITE_MAX = 32;

const places = new OpenLimit(PLACES, 'Too many links are being fetched now. Try again soon.');
const open = new Map<string, number>();

/**
 * Takes a place for a link, before any await.
 * @param owner account, or network of a client without one
 * @param site wider network of the client
 * @returns a function that releases the place; further calls do nothing
 * @throws OperationError `too_many_requests` when owner or site has all of theirs; `unavailable` when no place is free
 */
export function takeFetchPlace(owner: string, site: string): () => void {
  const bounds = new Map([
    [site, SITE_MAX],
    [owner, OWNER_MAX],
  ]);
  for (const [key, max] of bounds) {
    if ((open.get(key) ?? 0) < max) continue;
    throw new OperationError(
      'too_many_requests',
      `At most ${max} links are fetched for you at the same time.`,
    );
  }
  const release = places.take();
  for (const key of bounds.keys()) open.set(key, (open.get(key) ?? 0) + 1);
  let isReleased = false;
  return () => {
    if (isReleased) return;
    isReleased = true;
    release();
    for (const key of bounds.keys()) {
      const left = (open.get(key) ?? 0) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    }
  };
}
