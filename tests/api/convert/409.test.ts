import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../models/registry.ts';
import { computeFingerprint } from '../../../server/api/submit/fingerprint.ts';
import { reserveIdempotencyKey } from '../../../server/api/submit/idempotency.ts';
import { startApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

it('POST /media-tools/v1/image-convert returns 409 while the first request with the Idempotency-Key runs', async () => {
  const api = await startApi();
  try {
    const body = JSON.stringify({ image_url: api.imageUrl, to_format: 'webp' });
    const first = new Request('http://localhost:3000/api/media-tools/v1/image-convert', {
      method: 'POST',
      headers: { 'idempotency-key': 'slow' },
      body,
    });
    const fingerprint = computeFingerprint(
      first,
      JSON.parse(body),
      OPERATIONS['media-convert-image'],
      new Map(),
    );
    await reserveIdempotencyKey(api.ctx, { accountId: api.accountId }, first, [fingerprint]);
    const response = await api.convert(body, { 'idempotency-key': 'slow' });
    expect(response.status).toBe(409);
    const seconds = Number(response.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(response.body).toEqual(problemBody('Conflict', expect.stringMatching(/still running/)));
  } finally {
    await api.close();
  }
});
