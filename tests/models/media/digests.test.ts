import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { md5, sha256 } from '../../../models/media/bytes/digests.ts';

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000_003])(
  'SHA-256 of %i bytes equals the digest by Node',
  (length) => {
    const bytes = randomBytes(length);
    expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  },
);

test.each([0, 1, 55, 56, 63, 64, 65, 1000])('MD5 of %i bytes is that of another implementation', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 193 + 7) % 256);
  expect(md5(bytes)).toBe(createHash('md5').update(bytes).digest('hex'));
});
