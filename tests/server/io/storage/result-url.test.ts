import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { resultUrl, verifyResultUrl } from '../../../../server/io/storage/index.ts';

const config = { publicUrl: 'https://darkroom.example', cdnUrl: null, secret: randomBytes(32) };
const file = { key: 'outputs/job_1/token/photo ä.png', expiresAt: new Date('2026-11-22T12:00:00.500Z') };

test('a file always has the same URL, which contains its key', () => {
  const url = resultUrl(config, file);
  expect(url).toBe(resultUrl(config, file));
  expect(url).toMatch(
    /^https:\/\/darkroom\.example\/cdn\/job_1\/token\/photo%20%C3%A4\.png\?expires=1795348800&signature=[\w-]{43}$/,
  );
  expect(verifyResultUrl(config, new URL(url), new Date('2026-11-22T11:59:59Z'))).toEqual({ key: file.key });
});

test('a URL expires at the second of its expiry', () => {
  const url = new URL(resultUrl(config, file));
  expect(verifyResultUrl(config, url, new Date('2026-11-22T12:00:00Z'))).toBe('expired');
});

test('a URL is invalid under another secret', () => {
  const other = { ...config, secret: randomBytes(32) };
  expect(verifyResultUrl(other, new URL(resultUrl(config, file)))).toBe('invalid');
});

test('the URL in front of a bucket is the key on the CDN', () => {
  const cdnUrl = 'https://cdn.example/bucket';
  expect(resultUrl({ ...config, cdnUrl }, file)).toBe(
    'https://cdn.example/bucket/outputs/job_1/token/photo%20%C3%A4.png',
  );
});
