import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWebProcess, type WebProcess } from '../support/processes/web-process.ts';

let service: WebProcess;
beforeAll(async () => {
  service = await startWebProcess({ RESULT_TTL_HOURS: '31', DATA_LOCATION: 'Atlantis, Greece' });
});
afterAll(() => service?.stop());

async function textOf(path: string): Promise<string> {
  const response = await fetch(service.url + path);
  expect(response.status).toBe(200);
  return (await response.text()).replace(/<script.*?<\/script>/gs, '').replace(/<[^>]*>/g, '');
}

describe('a public page', () => {
  it.each([
    ['/docs/changelog', /\d{4}-\d\d-\d\d/],
    ['/docs/deprecation', /Sunset/],
    ['/docs/deprecation', /at least 180 days/],
    ['/docs/retention', /31 hours/],
    ['/docs/privacy', /No payment provider is set up/],
    ['/docs/data-location', /Atlantis, Greece/],
    ['/docs/spending', /50, 80 and 100 %/],
    ['/docs/test-keys', /https:\/\/test\.invalid\/webhook-failed/],
    ['/status', /Queue age/],
    ['/status', /interactive/],
  ])('%s says %s', async (path, words) => {
    expect(await textOf(path)).toMatch(words);
  });

  it('has a Markdown twin that llms.txt links', async () => {
    const list = await (await fetch(`${service.url}/llms.txt`)).text();
    const paths = [...list.matchAll(/(\/docs\/[a-z-]+\.md)\)/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBeGreaterThanOrEqual(8);
    for (const path of paths) {
      const response = await fetch(service.url + path);
      expect(response.headers.get('content-type')).toMatch(/^text\/markdown/);
      expect(await response.text()).toMatch(/^# \S/);
    }
    expect(await (await fetch(`${service.url}/docs/retention.md`)).text()).toContain('31 hours');
    expect((await fetch(`${service.url}/docs/nothing.md`)).status).toBe(404);
  });
});
