import { expect, it } from 'vitest';
import { startApi } from '../../support/service/api.ts';
import { makeEntriesDue } from '../../support/service/make-entries-due.ts';

it('POST /v1/remove-bg returns 500 when every attempt fails by our fault, and charges nothing', async () => {
  const api = await startApi();
  try {
    await api.startRunner();
    // Weights that are missing and may not be downloaded. The queue waits between attempts; a test does not.
    const speedUp = setInterval(() => void makeEntriesDue(api.ctx.db), 100);
    const response = await api.removeBg({ image_url: `${api.files.url}/subject.png`, engine: 'u2netp' });
    clearInterval(speedUp);
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({
      error: 'Internal Server Error',
      message: expect.stringMatching(/^processing_failed: .*Nothing was charged/),
      code: 'unavailable',
      request_id: expect.stringMatching(/^remove-bg_/),
    });
  } finally {
    await api.close();
  }
});
