import { expect, it } from 'vitest';
import { startApi } from '../../support/service/api.ts';

it('POST /v1/remove-bg returns 503 when the engine that it names cannot run here, and charges nothing', async () => {
  const api = await startApi();
  try {
    await api.startRunner();
    // Weights that are missing, and may not be downloaded by the runner.
    const response = await api.removeBg({ image_url: `${api.files.url}/subject.png`, engine: 'u2netp' });
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({
      error: 'Service Unavailable',
      message: expect.stringMatching(/^processing_failed: .*Nothing was charged/),
      code: 'engine_unavailable',
      field: 'engine',
      request_id: expect.stringMatching(/^remove-bg_/),
    });
  } finally {
    await api.close();
  }
});
