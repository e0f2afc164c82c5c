import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCdn, type TestCdn } from '../../support/service/cdn.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let cdn: TestCdn;
let url: string;
beforeAll(async () => {
  cdn = await startCdn();
  ({ url } = await cdn.publish(Buffer.from('0123456789')));
});
afterAll(() => cdn.stop());

test.each<[string, (url: string) => string]>([
  ['no signature', (good) => good.replace(/\?.*/, '')],
  ['an empty signature', (good) => good.replace(/signature=.*/, 'signature=')],
  ['another signature', (good) => good.replace(/signature=..../, 'signature=AAAA')],
  ['a later expiry', (good) => good.replace(/expires=\d+/, 'expires=9999999999')],
  ['an expiry that is no number', (good) => good.replace(/expires=\d+/, 'expires=soon')],
  ['another file', (good) => good.replace('photo.png', 'other.png')],
  ['a path outside', (good) => good.replace('photo.png', '..%2f..%2fsecret')],
  ['a broken escape', (good) => good.replace('photo.png', '%E0%A4%A')],
])('GET /cdn/… with %s returns 403 as JSON', async (_name, spoil) => {
  const response = await cdn.request(spoil(url));
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual(
    problemBody('Forbidden', 'The signature of this URL is not valid. Use the URL from the job.'),
  );
});
