import { EventEmitter } from 'node:events';
import { type SQL, sql } from 'drizzle-orm';
import type { Db, Executor } from './db.ts';

/** Channels between the processes of a service. */
export type Channel = 'job_ended' | 'agent_canceled' | 'delivery';

const emitters = new WeakMap<Db, Map<Channel, Promise<EventEmitter>>>();

/**
 * Returns an emitter of the names that any process notifies a channel of, each with its text. One connection per process listens for all
 * channels, and reopens by itself when it breaks.
 */
export function getNotifications(db: Db, channel: Channel): Promise<EventEmitter> {
  const channels = emitters.get(db) ?? new Map<Channel, Promise<EventEmitter>>();
  emitters.set(db, channels);
  const known = channels.get(channel);
  if (known) return known;
  const names = new EventEmitter().setMaxListeners(0);
  const listening = db.$client
    .listen(channel, (message) => {
      const [name = '', ...text] = message.split(' ');
      names.emit(name, text.join(' '));
    })
    .then(() => names);
  channels.set(channel, listening);
  listening.catch(() => channels.delete(channel));
  return listening;
}

/**
 * Returns an expression that notifies every process of a name, once the transaction is committed.
 * @param name without spaces
 * @param text of less than 8,000 bytes, with the name
 */
export function notifying(channel: Channel, name: string, text = ''): SQL {
  return sql`pg_notify(${channel}, ${text === '' ? name : `${name} ${text}`})`;
}

/** Notifies every process of a name, as {@link notifying} says. */
export async function notify(db: Executor, ...notification: Parameters<typeof notifying>): Promise<void> {
  await db.execute(sql`select ${notifying(...notification)}`);
}
