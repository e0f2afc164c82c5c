import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIncidentsCommand } from '../../../scripts/commands/incidents-command.ts';
import { claimJob, completeJob } from '../../../server/jobs/index.ts';
import { readStatus, uptimeShare } from '../../../server/ops/status.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { startSandbox } from '../../support/service/sandbox.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const incidents = async (...args: string[]) => {
  const lines = await runIncidentsCommand(args, { DATABASE_URL: api.ctx.env.DATABASE_URL });
  return lines.map((line) => JSON.parse(line));
};
const refusal = (...args: string[]) =>
  incidents(...args).then(
    () => '',
    (error: Error) => error.message,
  );
/** Reads the state again: it is cached for each connection to the database. */
const read = () => readStatus({ ...api.ctx, db: Object.create(api.ctx.db) });

describe('the public status', () => {
  it('shows latency and incidents, and that no runner works', async () => {
    const ask = { image_url: api.imageUrl, to_format: 'webp' };
    const { request_id } = (await api.convert(ask)).body;
    const attempt = await claimJob(api.ctx.db, request_id);
    if (!attempt) throw new Error('the job has ended');
    await completeJob(api.ctx, attempt, { files: [], engine: 'codec', warnings: [] });
    await (await startSandbox(api)).post('/media-tools/v1/image-convert', ask);
    const status = await read();
    expect(status.state).toBe('degraded');
    expect(status.latencies).toMatchObject([{ operationId: 'media-convert-image', jobs: 1 }]);
    // The uptime begins with the first account.
    expect(status.since.getTime()).toBeGreaterThan(status.at.getTime() - 3_600_000);
  });

  it('says so when there is no database, and never rejects', async () => {
    const broken = { execute: () => Promise.reject(new Error('gone')) };
    const status = await readStatus({ ...api.ctx, db: broken as unknown as typeof api.ctx.db });
    expect(status.state).toBe('down');
  });

  it('is read once for many requests', async () => {
    expect(readStatus(api.ctx)).toBe(readStatus(api.ctx));
  });
});

describe('the uptime', () => {
  const hour = (hours: number) => new Date(hours * 3_600_000);
  const day = { since: hour(0), at: hour(24) };

  it.each([
    ['no incident', [], 1],
    ['an incident', [[6, 12]], 0.75],
    [
      'incidents that overlap',
      [
        [6, 12],
        [8, 9],
        [10, 18],
      ],
      0.5,
    ],
    [
      'one that began before and one that lasts',
      [
        [-6, 6],
        [18, null],
      ],
      0.5,
    ],
  ] as const)('of a day with %s', (_, incidents, share) => {
    const all = incidents.map(([from, to]) => ({
      startedAt: hour(from),
      endedAt: to === null ? null : hour(to),
    }));
    expect(uptimeShare(all, day)).toBeCloseTo(share);
  });
});

describe('npm run incidents', () => {
  it('opens, lists and ends incidents', async () => {
    const [opened] = await incidents('open', '--title', ' Stems are slow ');
    expect(opened).toMatchObject({ title: 'Stems are slow', ended_at: null });
    expect((await read()).incidents).toMatchObject([{ title: 'Stems are slow', endedAt: null }]);
    const [ended] = await incidents('end', '--id', String(opened.id));
    expect(ended.ended_at).not.toBeNull();
    expect(await incidents('list')).toEqual([ended]);
  });

  it.each([
    [['open'], '--title'],
    [['open', '--title', 'x'.repeat(301)], '--title'],
    [['end', '--id', '99'], '--id'],
    [['end', '--id', 'x'], '--id'],
    [['fly'], 'Give one of the commands'],
    [['list', '--colour', 'red'], '--colour'],
  ])('refuses %j with words', async (args, words) => {
    expect((await refusal(...args)).split('\n\n')[0]).toContain(words);
  });
});
