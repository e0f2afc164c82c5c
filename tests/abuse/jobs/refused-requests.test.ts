import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';

const PER_HOUR = 3;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ FAILURES_PER_HOUR: String(PER_HOUR) });
});
afterAll(() => api.close());

it('requests that are refused for their files count as failures, and too many get 429', async () => {
  const { body } = await api.upload(Buffer.from('no image'));
  const broken = () => api.convert({ image_url: body.upload_url, to_format: 'png' });
  const statuses: number[] = [];
  for (let count = 0; count < PER_HOUR; count++) statuses.push((await broken()).status);
  expect(statuses).toEqual(Array(PER_HOUR).fill(400));
  const refused = await broken();
  expect(refused.status).toBe(429);
  expect(refused.body.message).toMatch(/failed by their inputs/);
});

it('requests that name unknown fields cost no time, and do not count', async () => {
  const api = await startApi({ FAILURES_PER_HOUR: '1' });
  for (let count = 0; count < 3; count++) {
    expect((await api.convert({ nonsense: count })).status).toBe(400);
  }
  await api.close();
});
