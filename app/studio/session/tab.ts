const STORED_AS = 'darkroom-tab';
const LOCK_PREFIX = 'darkroom-tab-';
/** A page that is left gives its lock back, on a busy machine after seconds. A duplicated tab keeps it, and says so. */
const CLAIM_TIMEOUT_MS = 10_000;
/** Time after which a page that still says so is no longer being left. */
const LEFT_MS = 1500;
const ASK_EVERY_MS = 250;

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
  const channel = new BroadcastChannel(LOCK_PREFIX + id);
  const duplicate = askForHolder(channel);
  addEventListener('pageshow', ({ persisted }) => persisted && void claim(id), { once: true });
  return new Promise((resolve) => {
    const hold = () => {
      duplicate.end();
      resolve(true);
      channel.onmessage = ({ data }) => data === 'whose' && channel.postMessage('mine');
      return new Promise<void>((release) => {
        const leave = () => {
          channel.close();
          release();
        };
        addEventListener('pagehide', leave, { once: true });
      });
    };
    const signal = AbortSignal.any([duplicate.signal, AbortSignal.timeout(CLAIM_TIMEOUT_MS)]);
    navigator.locks.request(LOCK_PREFIX + id, { signal }, hold).catch(() => {
      duplicate.end();
      channel.close();
      resolve(false);
    });
  });
}

/**
 * Asks the other pages of a tab whether one of them is there to stay. @returns a signal that aborts once one says so
 */
function askForHolder(channel: BroadcastChannel): { readonly signal: AbortSignal; end(): void } {
  const found = new AbortController();
  const startedAtMs = performance.now();
  const asking = setInterval(() => channel.postMessage('whose'), ASK_EVERY_MS);
  channel.onmessage = ({ data }) => {
    if (data === 'mine' && performance.now() - startedAtMs >= LEFT_MS) found.abort();
  };
  return { signal: found.signal, end: () => clearInterval(asking) };
}
