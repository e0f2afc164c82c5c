// @module-tag long

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../lab/support/service.ts';
import { writePricingFile } from '../support/service/pricing-file.ts';

let service: Service;
beforeAll(async () => {
  const TERMS_FILE = await writePricingFile({
    prices: { 'remove-bg': { image: '0.0321' } },
    free_credit_usd: '0.75',
  });
  service = await startService({ TERMS_FILE });
});
afterAll(() => service?.stop());

/** Returns the text of a page, without its elements. */
async function getText(path: string): Promise<string> {
  const html = await (await fetch(service.url + path)).text();
  return html.replace(/<script.*?<\/script>/gs, '').replace(/<[^>]*>/g, '');
}

it.each(['/', '/docs', '/docs/reference'])('GET %s shows the price of the terms', async (path) => {
  expect(await getText(path)).toContain('$0.0321 per image');
});

it('GET /sign-up says what a new account starts with', async () => {
  expect(await getText('/sign-up')).toContain('A new account starts with $0.75.');
});

it('GET /remove-bg brings the price to the page that offers the server', async () => {
  expect(await (await fetch(`${service.url}/remove-bg`)).text()).toMatch(/image[\\"]*:[\\"]*\$n32100/);
});

it('the owner of a local install has the free credit at once', async () => {
  const headers = {
    'content-type': 'application/json',
    origin: service.url,
    'sec-fetch-site': 'same-origin',
  };
  const post = (path: string, body: object) =>
    fetch(`${service.url}/api/auth${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const owner = { email: 'ada@example.com', password: 'correct horse battery' };
  expect((await post('/sign-up/email', { ...owner, name: 'Ada' })).status).toBe(200);
  const cookie = (await post('/sign-in/email', owner)).headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const session = await fetch(`${service.url}/api/session`, { headers: { ...headers, cookie } });
  expect(await session.json()).toMatchObject({ available_micro_usd: '750000' });
});
