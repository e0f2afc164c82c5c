import { expect, it } from 'vitest';
import { startApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

it('POST /media-tools/v1/image-convert returns 429 with Retry-After once the rate limit is used up', async () => {
  const api = await startApi({ RATE_LIMIT_PER_SECOND: '0.01', RATE_LIMIT_BURST: '3' });
  try {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => api.convert({ image_url: api.imageUrl, to_format: 'webp' })),
    );
    expect(responses.map((response) => response.status).sort()).toEqual([202, 202, 202, 429, 429]);
    const refused = responses.find((response) => response.status === 429);
    expect(refused?.body).toEqual(
      problemBody(
        'Too Many Requests',
        expect.stringContaining(
          'Too many requests with this key or session: the limit is 36 an hour, and 3 at once',
        ),
      ),
    );
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused?.headers.get('ratelimit-remaining')).toBe('0');
  } finally {
    await api.close();
  }
});
