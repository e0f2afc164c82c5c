import { expect, it } from 'vitest';
import {
  redactJson,
  redactReceiver,
  redactTarget,
  redactText,
} from '../../../../server/identity/request-log/index.ts';

const KEY = `mk_0a1b2c3d${'x'.repeat(43)}`;

it.each([
  ['a short text', { to_format: 'webp' }, { to_format: 'webp' }],
  ['numbers, booleans and null', { a: 1, b: true, c: null }, { a: 1, b: true, c: null }],
  ['lists', { items: [{ quality: 80 }] }, { items: [{ quality: 80 }] }],
  ['a text of 501 characters', { prompt: 'a'.repeat(501) }, { prompt: '[left out: 501 characters]' }],
  [
    'a file in base64, however short',
    { image_b64: 'iVBORw0KGgo=' },
    { image_b64: '[left out: 12 characters]' },
  ],
  ['a data URL', { image_url: 'data:image/png;base64,AA' }, { image_url: '[left out: 24 characters]' }],
  [
    'fields named like secrets',
    { api_key: 'a', S3SecretKey: 'b' },
    { api_key: '[redacted]', S3SecretKey: '[redacted]' },
  ],
  [
    'short names of secrets, and no words that hold them',
    { auth: 'a', userPin: '1', jwt: 'b', author: 'Ada', spin: 2 },
    { auth: '[redacted]', userPin: '[redacted]', jwt: '[redacted]', author: 'Ada', spin: 2 },
  ],
  [
    'other names of passwords, and no words that hold them',
    { pass: 'a', db_pwd: 'b', passphrase: 'c', bearer: 'd', passes: 2, compass: 'north' },
    {
      ...{ pass: '[redacted]', db_pwd: '[redacted]', passphrase: '[redacted]', bearer: '[redacted]' },
      ...{ passes: 2, compass: 'north' },
    },
  ],
  [
    'a bearer token in a text',
    { a: 'sent Bearer abcdef0123456789+/== twice', b: 'Bearer of news' },
    { a: 'sent Bearer [redacted] twice', b: 'Bearer of news' },
  ],
  ['a JWT in a text', { a: 'is eyJhbGciOiJub25lIn0.eyJhIjoxfQ.c2ln' }, { a: 'is [redacted]' }],
  [
    'the query of any scheme, and a signature without one',
    { a: 's3+https://b.example/a?x=1', b: 'rtmp://b.example/live?k=1', c: '/photo.png?w=1&sig=5f' },
    {
      a: 's3+https://b.example/a?[redacted]',
      b: 'rtmp://b.example/live?[redacted]',
      c: '/photo.png?w=1&sig=[redacted]',
    },
  ],
  ['an API key in a text', { reference: `order of ${KEY}` }, { reference: 'order of [redacted]' }],
  ['a test key', { a: KEY.replace('mk_', 'mk_test_') }, { a: '[redacted]' }],
  [
    'the query of a signed URL',
    { output_urls: ['https://bucket.example/a.png?X-Amz-Signature=5f'] },
    { output_urls: ['https://bucket.example/a.png?[redacted]'] },
  ],
  [
    'the password of a URL within a text',
    { background: 'url("https://ada:pw@example.com/a.png#b")' },
    { background: 'url("https://[redacted]@example.com/a.png?[redacted]")' },
  ],
  [
    'the query of a URL with parentheses, quotes and spaces',
    { a: "https://b.example/photo (1)'s.png?sig=a'b c", b: 'see https://b.example/it(1).png?sig=5f' },
    { a: "https://b.example/photo (1)'s.png?[redacted]", b: 'see https://b.example/it(1).png?[redacted]' },
  ],
  [
    'passwords with an @ or a parenthesis',
    { a: 'https://u:p@ss@b.example/', b: 'https://u:p(w@b.example/a.png' },
    { a: 'https://[redacted]@b.example/', b: 'https://[redacted]@b.example/a.png' },
  ],
  [
    'lists and objects named like secrets',
    { tokens: ['abc'], credentials: { value: 'abc' } },
    { tokens: '[redacted]', credentials: '[redacted]' },
  ],
  [
    'the URL of an upload’s parts',
    { image_url: 'https://example.com/api/v2/uploads/token' },
    { image_url: 'https://example.com/api/v2/uploads/[redacted]' },
  ],
  ['what PostgreSQL cannot store', { 'a\0': 'b\ud800\0' }, { 'a\ufffd': 'b\ufffd\ufffd' }],
])('%s', (_, body, shown) => {
  expect(redactJson(body)).toEqual(shown);
});

it('a long body is cut, and says how much is missing', () => {
  const body = {
    items: Array.from({ length: 10_000 }, (_, at) => ({ image_url: `https://example.com/${at}.png` })),
  };
  const text = JSON.stringify(redactJson(body));
  expect(text.length).toBeLessThan(6_000);
  expect(text).toMatch(/"\[left out: \d+ more\]"/);
  const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`field${at}`, 'x'.repeat(500)]));
  expect(JSON.stringify(redactJson(wide)).length).toBeLessThan(6_000);
});

it('text grows no slower than its length takes', () => {
  expect(redactText(`${'a'.repeat(200_000)}:/`)).toHaveLength(200_002);
});

it.each([
  ['/api/v2/requests', '/api/v2/requests'],
  ['/api/v2/requests?status=FAILED&reference=a%20b', '/api/v2/requests?status=FAILED&reference=a b'],
  ['/api/v2/wallet?api_key=1&token=2', '/api/v2/wallet?api_key=[redacted]&token=[redacted]'],
  [`/api/v2/wallet?a=${KEY}`, '/api/v2/wallet?a=[redacted]'],
  ['/api/v2/uploads/secret', '/api/v2/uploads/[redacted]'],
])('of the target %s %s is kept', (target, shown) => {
  expect(redactTarget(new URL(target, 'http://localhost'))).toBe(shown);
});

it.each([
  [
    'https://hooks.slack.com/services/T0000/B0000/abcdefghij0123456789',
    'https://hooks.slack.com/services/T0000/B0000/[redacted]',
  ],
  [
    'https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage',
    'https://api.telegram.org/[redacted]/sendMessage',
  ],
  ['https://hooks2.shop.example.com/jobs?key=1', 'https://hooks2.shop.example.com/jobs?[redacted]'],
])('of the receiver %s %s is kept', (url, shown) => {
  expect(redactReceiver(url)).toBe(shown);
});
