import { expect, test } from 'vitest';
import { fetchSemaphores } from '../../../../server/io/fetching/fetch-semaphores.ts';

const { signal } = new AbortController();
const enter = (owner: string, hostname: string) => fetchSemaphores.enter({ owner, signal }, hostname);

/** Asks for many places, and records those that are given. */
function crowd(owner: string, hosts: readonly string[]) {
  const places: (() => void)[] = [];
  const all = hosts.map(async (host) => places.push(await enter(owner, host)));
  return { places, all };
}

test('an owner has 16 places, others have their own, and who waits is next', async () => {
  const hosts = Array.from({ length: 17 }, (_, number) => `${number}.example`);
  const { places, all } = crowd('first', hosts);
  (await enter('second', '0.example'))();
  expect(places).toHaveLength(16);
  places[0]?.();
  await Promise.all(all);
  expect(places).toHaveLength(17);
  for (const leave of places) leave();
});

test('one host has 8 of them, so that a slow one leaves places for others', async () => {
  const { places, all } = crowd('first', Array(20).fill('slow.example'));
  (await enter('first', 'other.example'))();
  expect(places).toHaveLength(8);
  while (places.length < 20) {
    for (const leave of places) leave();
    await Promise.race(all.slice(places.length));
  }
  await Promise.all(all);
  for (const leave of places) leave();
});

test('the 117th concurrent fetch of an account is rejected, and aborted ones release their places', async () => {
  const leaving = new AbortController();
  const options = { owner: 'first', signal: leaving.signal };
  const asked = Array.from({ length: 116 }, () => fetchSemaphores.enter(options, 'slow.example'));
  await expect(enter('first', 'other.example')).rejects.toMatchObject({ code: 'too_many_requests' });
  leaving.abort();
  for (const end of await Promise.allSettled(asked)) if (end.status === 'fulfilled') end.value();
  (await enter('first', 'other.example'))();
});
