import type { ApiClient } from '../support/service.ts';
import { median, ms, report, timeMs } from './measure.ts';

const ROUNDS = 30;
const CLIENTS = 16;
const REQUESTS_EACH = 100;

/** Measures how long a request takes until it is accepted, compared with fetching its file alone. */
export async function measureAccepting(api: ApiClient, url: string): Promise<void> {
  const accepted: number[] = [];
  const fetched: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    fetched.push(await timeMs(async () => (await fetch(url)).arrayBuffer()));
    let id = '';
    accepted.push(await timeMs(async () => (id = await submit(api, url))));
    await api.ended(id, { everyMs: 20 });
  }
  const [a, b] = [median(accepted), median(fetched)];
  report('accepting a conversion', {
    p50: ms(a),
    'fetch alone': ms(b),
    beyond: `${ms(a - b)} (at most 12 ms)`,
  });
}

/** Measures requests for the status of a completed job: one after the other, and of many clients at once. */
export async function measureStatus(api: ApiClient, url: string): Promise<void> {
  const id = await submit(api, url);
  await api.ended(id, { everyMs: 20 });
  const ask = async () => {
    const { status } = await api.get(`/api/v2/requests/status/${id}`);
    if (status !== 200) throw new Error(`expected 200, got ${status}`);
  };
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS * 5; round++) alone.push(await timeMs(ask));
  const togetherMs = await timeMs(() =>
    Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let count = 0; count < REQUESTS_EACH; count++) await ask();
      }),
    ),
  );
  report('status of a job', {
    p50: `${ms(median(alone))} (at most 4 ms)`,
    [`a second with ${CLIENTS} clients`]: `${((CLIENTS * REQUESTS_EACH * 1000) / togetherMs).toFixed(0)} (at least 500)`,
  });
}

async function submit(api: ApiClient, url: string): Promise<string> {
  const { status, body } = await api.convert({ image_url: url, to_format: 'webp', quality: 92 });
  if (status !== 202) throw new Error(`expected 202, got ${status}: ${JSON.stringify(body)}`);
  return body.request_id;
}
