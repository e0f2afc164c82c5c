import { markFetched, wasFetched } from '../files/fetched-files.ts';
import { deleteTab, keysOf, openSessionDatabase, readUsage, type SessionDatabase } from './database.ts';
import { expiredTabs, SESSION_LIMITS } from './expiry.ts';

const STORED_AS = 'darkroom-tab';

const LOCK_PREFIX = 'darkroom-tab-';

/** A page that is left gives its lock back, on a busy machine after seconds. A duplicated tab keeps it, and says so. */
const CLAIM_TIMEOUT_MS = 10_000;

/** Time after which a page that still says so is no longer being left. */
const LEFT_MS = 1500;

const ASK_EVERY_MS = 250;

/** Stored session of this tab: its files, each written once, and its states by name. */
export class TabStore {
  readonly #db: SessionDatabase;
  readonly #tab: string;
  /** States as they were when the page opened. */
  readonly states: ReadonlyMap<string, unknown>;
  /** One after another, so that together they stay within the limits. */
  #adding: Promise<unknown> = Promise.resolve();

  private constructor(db: SessionDatabase, tab: string, states: ReadonlyMap<string, unknown>) {
    this.#db = db;
    this.#tab = tab;
    this.states = states;
  }

  /** Opens the session of this tab, and deletes expired ones of others. @throws where the browser stores nothing */
  static async open(): Promise<TabStore> {
    const db = await openSessionDatabase();
    const tab = await claimTab();
    const range = keysOf(tab);
    const [keys, values] = await Promise.all([db.getAllKeys('states', range), db.getAll('states', range)]);
    const store = new TabStore(db, tab, new Map(keys.map(([, name], at) => [name, values[at]])));
    await store.#makeRoom(0);
    return store;
  }

  /** Stores states: all of them, or none where they do not fit. */
  async write(states: ReadonlyMap<string, unknown>): Promise<void> {
    try {
      const change = this.#db.transaction(['tabs', 'states'], 'readwrite');
      const stored = change.objectStore('states');
      for (const [name, value] of states) void stored.put(value, [this.#tab, name]).catch(() => {});
      void change
        .objectStore('tabs')
        .put(Date.now(), this.#tab)
        .catch(() => {});
      await change.done;
    } catch {}
  }

  /**
   * Stores a file.
   * @returns its key; null where there is no room for it
   */
  addFile(file: File): Promise<string | null> {
    const added = this.#adding.then(() => this.#addNow(file)).catch(() => null);
    this.#adding = added;
    return added;
  }

  async readFile(key: string): Promise<File | undefined> {
    const stored = await this.#db.get('files', [this.#tab, key]);
    if (!stored) return undefined;
    const { blob, name, lastModified, isFetched } = stored;
    const file = new File([blob], name, { type: blob.type, lastModified });
    if (isFetched) markFetched(file);
    return file;
  }

  async deleteFile(key: string): Promise<void> {
    await this.#db.delete('files', [this.#tab, key]).catch(() => {});
  }

  async #addNow(file: File): Promise<string | null> {
    if (!(await this.#makeRoom(file.size))) return null;
    const key = crypto.getRandomValues(new Uint32Array(3)).join('-');
    const { name, lastModified, size } = file;
    const isFetched = wasFetched(file);
    await this.#db.put('files', {
      tab: this.#tab,
      key,
      bytes: size,
      blob: file,
      name,
      lastModified,
      isFetched,
    });
    return key;
  }

  /**
   * Deletes sessions of closed tabs that have expired or are in the way.
   * @returns whether a file of this size then fits
   */
  async #makeRoom(bytes: number): Promise<boolean> {
    const db = this.#db;
    const [usage, open, seen, ids] = await Promise.all([
      readUsage(db),
      openTabs(),
      db.getAll('tabs'),
      db.getAllKeys('tabs'),
    ]);
    const tabs = ids.map((id, at) => ({
      id,
      seenAtMs: seen[at] ?? 0,
      bytes: usage.get(id)?.bytes ?? 0,
      isOpen: id === this.#tab || open.has(id),
    }));
    const dropped = expiredTabs(tabs, Date.now(), bytes);
    await Promise.all(dropped.map((id) => deleteTab(db, id)));
    const left = tabs.filter(({ id }) => !dropped.includes(id));
    const bytesLeft = left.reduce((sum, tab) => sum + tab.bytes, bytes);
    const { bytesMax, filesMax } = SESSION_LIMITS;
    return bytesLeft <= bytesMax && (usage.get(this.#tab)?.files ?? 0) < filesMax;
  }
}

/**
 * Returns this tab's id: the same after a reload, but another one in a duplicate of the tab, which begins with a copy
 * of the tab's storage.
 */
async function claimTab(): Promise<string> {
  const known = sessionStorage.getItem(STORED_AS);
  if (known !== null && (await claim(known))) return known;
  const id = Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
  sessionStorage.setItem(STORED_AS, id);
  await claim(id);
  return id;
}

/** Returns the ids of all tabs that are open. */
async function openTabs(): Promise<ReadonlySet<string>> {
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
