import { expect, it } from 'vitest';
import { startApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

it('POST /media-tools/v1/image-convert returns 422 for another body under a used Idempotency-Key', async () => {
  const api = await startApi();
  try {
    const headers = { 'idempotency-key': 'order-1' };
    await api.convert({ image_url: api.imageUrl, to_format: 'webp' }, headers);
    const response = await api.convert({ image_url: api.imageUrl, to_format: 'png' }, headers);
    expect(response.status).toBe(422);
    expect(response.body).toEqual(
      problemBody('Unprocessable Entity', expect.stringMatching(/^Idempotency-Key: /)),
    );
  } finally {
    await api.close();
  }
});
