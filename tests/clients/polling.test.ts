import { afterEach, expect, it, vi } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';

afterEach(() => vi.useRealTimers());

const getClient = (respond: (request: Request) => Promise<Response>) =>
  createClient({ apiKey: 'mk_x', origin: 'https://darkroom.example.com', fetch: respond });

it('looks at a job as often as the caller asks', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let looks = 0;
  const client = getClient(async () => {
    looks += 1;
    return Response.json({ status: looks < 4 ? 'QUEUED' : 'COMPLETED' });
  });
  const ended = client.wait('upscale_1', { pollMs: { first: 100, max: 120 } });
  const seen: number[] = [];
  for (const ms of [99, 1, 119, 1, 119, 1]) {
    await vi.advanceTimersByTimeAsync(ms);
    seen.push(looks);
  }
  expect(seen).toEqual([1, 2, 2, 3, 3, 4]);
  expect(await ended).toMatchObject({ status: 'COMPLETED' });
});

it('asks the service to hold each look until the job has ended, and then looks again at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const wishes: (string | null)[] = [];
  const client = getClient(async ({ headers }) => {
    wishes.push(headers.get('prefer'));
    const isLast = wishes.length === 6;
    await new Promise((resolve) => setTimeout(resolve, isLast ? 10 : 1000));
    return Response.json({ status: isLast ? 'COMPLETED' : 'PROCESSING' });
  });
  const ended = client.wait('upscale_1');
  await vi.advanceTimersByTimeAsync(3000);
  expect(wishes).toEqual(['wait=1', 'wait=1', 'wait=1', 'wait=2']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(wishes).toEqual(['wait=1', 'wait=1', 'wait=1', 'wait=2', 'wait=3', 'wait=4']);
  expect(await ended).toMatchObject({ status: 'COMPLETED' });
});
