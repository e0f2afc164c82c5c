import { expect, test, vi } from 'vitest';
import { SharedLook } from '../../../server/base/shared-look.ts';

const never = new AbortController().signal;

test('one look serves all who wait, and finds something for those that it names', async () => {
  const look = vi.fn(
    async (keys: readonly string[]) => new Map(keys.slice(0, 1).map((key) => [key, `${key}!`])),
  );
  const shared = new SharedLook(look, 5);
  const found = await Promise.all([...'abca'].map((key) => shared.next(key, never)));
  expect(found).toEqual(['a!', undefined, undefined, 'a!']);
  expect(look.mock.calls).toEqual([[['a', 'b', 'c']]]);
  expect(await shared.next('d', never)).toBe('d!');
});

test('who leaves is not looked for, and a failing look finds nothing', async () => {
  const look = vi.fn(() => Promise.reject(new Error('no database')));
  const shared = new SharedLook<string>(look, 5);
  const leaving = new AbortController();
  const [left, stayed] = [shared.next('left', leaving.signal), shared.next('stays', never)];
  leaving.abort();
  expect(await Promise.all([left, stayed])).toEqual([undefined, undefined]);
  expect(look.mock.calls).toEqual([[['stays']]]);
  expect(await shared.next('late', leaving.signal)).toBeUndefined();
});

test('who wants something else stays, and others get what they want', async () => {
  let version = 0;
  const look = vi.fn(async (keys: readonly string[]) => {
    version += 1;
    return new Map(keys.map((key) => [key, version]));
  });
  const shared = new SharedLook(look, 5);
  const third = shared.next('job', never, (found) => found === 3);
  expect(await shared.next('job', never)).toBe(1);
  expect(await third).toBe(3);
  expect(look).toHaveBeenCalledTimes(3);
});
