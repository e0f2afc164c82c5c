import type { Db } from '../../server/base/database/db.ts';
import { readSecretsKeys } from '../../server/base/env.ts';
import { countSeals, getKeyId, resealStoredSecrets } from '../../server/base/secrets/index.ts';
import { listProcesses, SILENT_SECONDS_MAX } from '../../server/jobs/heartbeats.ts';

export const SECRETS_USAGE = `Shows which keys of SECRETS_KEY encrypt the stored secrets, and which processes have them; or
encrypts all secrets with the first key. Prints lines of JSON.

npm run --silent secrets -- status
npm run --silent secrets -- reseal

reseal refuses while a live process lacks the first key.`;

/** State of a key, by its id, which reveals nothing of it; null stands for secrets that are stored as they are. */
interface KeyState {
  readonly key: string | null;
  /** Number of stored secrets that it has encrypted. */
  readonly secrets: number;
  /** Whether this command was given it, and whether it encrypts. */
  readonly isGiven: boolean;
  readonly isFirst: boolean;
  /** Live processes that lack it. */
  readonly lackedBy: readonly string[];
}

/**
 * Runs the command.
 * @returns what it prints
 * @throws Error that names the live processes that lack the first key
 */
export async function runSecretsCommand(args: readonly string[], db: Db): Promise<readonly object[]> {
  const [command, ...more] = args;
  if (more.length > 0) throw new Error(SECRETS_USAGE);
  if (command === 'status') return await listKeyStates(db);
  if (command !== 'reseal') throw new Error(SECRETS_USAGE);
  const [first] = readSecretsKeys();
  if (!first) throw new Error('SECRETS_KEY is not set: there is no key to encrypt with.');
  const lacking = listLacking(await listLive(db), getKeyId(first));
  if (lacking.length > 0) {
    throw new Error(
      `Nothing was changed: ${lacking.join(', ')} would lack the key ${getKeyId(first)}. Add it to their SECRETS_KEY and restart them first.`,
    );
  }
  return [{ resealed: await resealStoredSecrets(db) }];
}

async function listKeyStates(db: Db): Promise<KeyState[]> {
  const [counts, live] = await Promise.all([countSeals(db), listLive(db)]);
  const given = readSecretsKeys().map(getKeyId);
  return [...new Set([...given, ...counts.keys()])].map((key) => ({
    key,
    secrets: counts.get(key) ?? 0,
    isGiven: key !== null && given.includes(key),
    isFirst: key !== null && key === given[0],
    lackedBy: key === null ? [] : listLacking(live, key),
  }));
}

async function listLive(db: Db) {
  return (await listProcesses(db)).filter(({ silentSeconds }) => silentSeconds <= SILENT_SECONDS_MAX);
}

/** Names the processes that lack a key. One of an earlier version does not say which it has. */
function listLacking(live: Awaited<ReturnType<typeof listLive>>, key: string): string[] {
  return live
    .filter(({ facts }) => !facts.secretsKeys?.includes(key))
    .map(({ part, host, pid }) => `${part} ${pid} on ${host}`);
}
