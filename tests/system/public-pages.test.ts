import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEngine } from '../../models/acceptance/find-acceptance-status.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { readEnv } from '../../server/base/env.ts';
import { AcceptanceStore } from '../../server/runtime/acceptance/index.ts';
import { startWebProcess, type WebProcess } from '../support/processes/web-process.ts';

let service: WebProcess;
beforeAll(async () => {
  service = await startWebProcess({
    RESULT_TTL_HOURS: '31',
    DATA_LOCATION: 'Atlantis, Greece',
    OPERATOR_TERMS_URL: 'https://example.com/terms',
    OPERATOR_CONTACT: 'help@example.com',
  });
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
    ['/status', /100\.00 % of the last 90 days/],
    ['/security', /Write to help@example\.com/],
  ])('%s says %s', async (path, words) => {
    expect(await getText(path)).toMatch(words);
  });

  it.each(['/sign-in', '/sign-up', '/reset-password', '/dashboard', '/'])(
    '%s gives no window of another site a hold on it',
    async (path) => {
      const { headers } = await fetch(service.url + path, { redirect: 'manual' });
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    },
  );

  it('shows how well a model does that was measured here, in words for people', async () => {
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
    expect(board).toMatch(/Upscale.*27\.9 dB likeness to the original.*0\.8 s for a megapixel/);
    expect(board).not.toMatch(/MODELS_|not measured|\.onnx/);
  });

  it('names the operator in its footer, as far as it is told, and in security.txt', async () => {
    const page = await (await fetch(`${service.url}/status`)).text();
    expect(page).toMatch(
      /<a href="https:\/\/example\.com\/terms">Terms<\/a><a href="mailto:help@example\.com">/,
    );
    expect(page).not.toContain('>Privacy</a><a href="mailto:');
    const text = await (await fetch(`${service.url}/.well-known/security.txt`)).text();
    expect(text).toMatch(/^Contact: mailto:help@example\.com\nExpires: \d{4}-/);
  });

  it('leads from /device to the settings', async () => {
    const response = await fetch(`${service.url}/device`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, '/settings']);
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
