import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { md5 } from '../../../../models/media/bytes/digests.ts';

test.each([0, 1, 55, 56, 63, 64, 65, 1000])('MD5 of %i bytes is that of another implementation', (length) => {
  const bytes = Uint8Array.from({ length }, (_, at) => (at * 193 + 7) % 256);
  expect(md5(bytes)).toBe(createHash('md5').update(bytes).digest('hex'));
});
