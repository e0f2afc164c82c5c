import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/**
 * Returns a function that opens a database of this browser on its first call.
 * @param create makes the stores of a new one
 * @throws DOMException from that function, where the browser stores nothing for pages
 */
export function openOnce<Schema extends DBSchema | unknown = unknown>(
  name: string,
  create: (database: IDBPDatabase<Schema>) => void,
): () => Promise<IDBPDatabase<Schema>> {
  let opening: Promise<IDBPDatabase<Schema>> | undefined;
  return () => {
    opening ??= openDB<Schema>(name, 1, { upgrade: (database) => create(database) });
    return opening;
  };
}

/** Keeps values by key in a database of their own. A browser that stores nothing knows none. */
export function keepByKey<Value>(name: string, store: string) {
  const open = openOnce(name, (database) => void database.createObjectStore(store));
  return {
    read: async (key: string): Promise<Value | undefined> =>
      await open().then(
        (database) => database.get(store, key),
        () => undefined,
      ),
    write: async (key: string, value: Value): Promise<void> =>
      await open().then(
        async (database) => void (await database.put(store, value, key)),
        () => undefined,
      ),
  };
}
