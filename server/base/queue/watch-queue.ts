import { closeDb, openDb } from '../database/db.ts';
import { QUEUE_CHANNEL } from './queue-entry.ts';

/**
 * Watches for new entries, over every reconnection. Each watch has its own connection: the shared listener of a
 * pool that lost its server hangs when it is left and joined again.
 * @param onEntry called for each lane that has some; without a lane after a gap, when any lane may have
 * @returns a function that ends it
 * @throws when the database cannot be reached
 */
export async function watchQueue(
  url: string,
  onEntry: (lane?: string) => void,
): Promise<() => Promise<void>> {
  const db = openDb(url, { connectionsMax: 1 });
  const end = () => closeDb(db);
  try {
    await db.$client.listen(QUEUE_CHANNEL, onEntry, () => onEntry());
    return end;
  } catch (thrown) {
    await end();
    throw thrown;
  }
}
