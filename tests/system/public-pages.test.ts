import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEngine } from '../../models/acceptance/find-acceptance-status.ts';
import { listOwnEngines } from '../../models/core/device/fit.ts';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import { OPERATIONS, WEIGHTS } from '../../models/registry.ts';
import { readEnv } from '../../server/base/env.ts';
import { AcceptanceStore } from '../../server/runtime/acceptance/index.ts';
import { openWeightStore } from '../../server/runtime/weight-store/index.ts';
import { startWebProcess, type WebProcess } from '../support/processes/web-process.ts';

let service: WebProcess;
beforeAll(async () => {
  service = await startWebProcess({ RESULT_TTL_HOURS: '31', DATA_LOCATION: 'Atlantis, Greece' });
});
afterAll(() => service?.stop());

async function getText(path: string): Promise<string> {
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
    ['/docs/search?q=cached+webhook', /sections? ha(s|ve) the words/],
    ['/docs/test-keys', /https:\/\/test\.invalid\/webhook-failed/],
    ['/status', /Queue age/],
    ['/status', /interactive/],
  ])('%s says %s', async (path, words) => {
    expect(await getText(path)).toMatch(words);
  });

  it('shows the board of the engines, with what was measured here', async () => {
    const found = findEngine(OPERATIONS, 'upscale', 'darkroom-fast');
    if (!found) throw new Error('there is no such engine');
    await new AcceptanceStore(readEnv({ DATA_DIR: service.dataDir })).write('upscale', found.engine, {
      measure: 'PSNR',
      figure: 27.89,
      floor: 27.2,
      passed: true,
      seconds: 0.81,
      per: 'megapixel',
      memoryBytes: 123_000_000,
      measuredAt: '2026-01-01T00:00:00.000Z',
    });
    const board = await getText('/quality');
    for (const operation of Object.values<Operation>(OPERATIONS))
      for (const { id } of listOwnEngines(operation)) expect(board).toContain(id);
    expect(board).toMatch(/27\.89 PSNR.*passed, at least 27\.2.*0\.81 s for a megapixel.*123 MB/);
    expect(board).toContain('MODELS_LICENCES allows commercial ones only');
  });

  it('shows on /device how far the downloads of models to the server are', async () => {
    expect(await getText('/device')).not.toContain('on their way to our server');
    const card = WEIGHTS.find(({ id }) => id === 'u2netp');
    if (!card) throw new Error('there are no such weights');
    const part = `${openWeightStore(readEnv({ DATA_DIR: service.dataDir })).getPath(card)}.part`;
    await mkdir(dirname(part), { recursive: true });
    await writeFile(part, new Uint8Array(1_500_000));
    expect(await getText('/device')).toMatch(/on their way to our server.*u2netp1\.5 MB of 4\.6 MB/);
    await rm(part);
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
