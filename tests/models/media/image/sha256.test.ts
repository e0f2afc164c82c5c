import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from '../../../../models/media/bytes/digests.ts';

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 1_000_003])(
  'SHA-256 of %i bytes equals the digest by Node',
  (length) => {
    const bytes = randomBytes(length);
    expect(sha256(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'));
  },
);
