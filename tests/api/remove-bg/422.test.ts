import { expect, it } from 'vitest';
import { drawRedBall, startApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

it('POST /v1/remove-bg returns 422 for an input that cannot be decoded, charges nothing, and replays the response', async () => {
  const api = await startApi();
  try {
    await api.startRunner();
    const whole = await drawRedBall('png');
    const broken = Buffer.from(whole).fill(0, Math.floor(whole.length / 2));
    const send = () =>
      api.removeBg({ image_b64: broken.toString('base64') }, { 'idempotency-key': 'damaged' });
    const response = await send();
    expect(response.status).toBe(422);
    expect(response.body).toEqual(problemBody('Unprocessable Entity'));
    expect(await send()).toMatchObject({ status: 422, body: response.body });
    const wallet = await api.call('GET', '/api/v2/wallet', {
      headers: { authorization: `Bearer ${api.apiKey}` },
    });
    expect(wallet.body).toEqual({ balance_usd: '1.00', held_usd: '0.00', available_usd: '1.00' });
  } finally {
    await api.close();
  }
});
