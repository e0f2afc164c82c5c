import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Acceptance } from '../../../models/acceptance/measure-engine.ts';

const NAME = 'darkroom-acceptance';
const STORE = 'acceptances';

interface AcceptanceSchema extends DBSchema {
  acceptances: { key: string; value: Acceptance };
}

let opened: Promise<IDBPDatabase<AcceptanceSchema>> | undefined;

function open(): Promise<IDBPDatabase<AcceptanceSchema>> {
  opened ??= openDB<AcceptanceSchema>(NAME, 1, {
    upgrade: (database) => void database.createObjectStore(STORE),
  });
  return opened;
}

/** Reads what was measured on this device; null where nothing was, or the browser stores nothing. */
export async function readAcceptance(key: string): Promise<Acceptance | null> {
  return (
    (await open().then(
      (database) => database.get(STORE, key),
      () => undefined,
    )) ?? null
  );
}

/** Stores what was measured. Where the browser stores nothing, each worker measures for itself. */
export async function writeAcceptance(key: string, acceptance: Acceptance): Promise<void> {
  await open().then(
    (database) => database.put(STORE, acceptance, key),
    () => undefined,
  );
}
