const STORED_AS = 'darkroom-tab';
const LOCK_PREFIX = 'darkroom-tab-';
/** A reloaded page gives its lock back within moments. A duplicated tab keeps it. */
const CLAIM_TIMEOUT_MS = 1000;

/**
 * Returns this tab's id: the same after a reload, but another one in a duplicate of the tab, which begins with a copy
 * of the tab's storage.
 */
export async function claimTab(): Promise<string> {
  const known = sessionStorage.getItem(STORED_AS);
  if (known !== null && (await claim(known))) return known;
  const id = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
  sessionStorage.setItem(STORED_AS, id);
  await claim(id);
  return id;
}

/** Returns the ids of all tabs that are open. */
export async function openTabs(): Promise<ReadonlySet<string>> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(LOCK_PREFIX));
  return new Set(names.map((name) => name.slice(LOCK_PREFIX.length)));
}

/**
 * Marks a tab as open for as long as its page is shown: a page that holds a lock could not come back from the
 * back-forward cache.
 * @returns whether no other page has it
 */
function claim(id: string): Promise<boolean> {
  // Without locks, which need a secure context, no duplicate can be recognised.
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true);
      return new Promise<void>((release) => addEventListener('pagehide', () => release(), { once: true }));
    };
    addEventListener('pageshow', ({ persisted }) => persisted && void claim(id), { once: true });
    const signal = AbortSignal.timeout(CLAIM_TIMEOUT_MS);
    navigator.locks.request(LOCK_PREFIX + id, { signal }, hold).catch(() => resolve(false));
  });
}
