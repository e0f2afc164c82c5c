import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('an upload cannot be read back: GET of its URL answers 404 as JSON', async () => {
  const { body } = await api.upload(Buffer.from('private'));
  const headers = { 'ocp-apim-subscription-key': api.apiKey };
  const answer = await api.call('GET', new URL(body.upload_url).pathname, { headers });
  expect(answer.status).toBe(404);
  expect(answer.body).toEqual({ error: 'Not Found', message: expect.any(String) });
});

it('GET /uploads answers 405 as JSON and names POST', async () => {
  const answer = await api.call('GET', '/api/uploads');
  expect(answer.status).toBe(405);
  expect(answer.headers.get('allow')).toBe('POST');
  expect(answer.body.error).toBe('Method Not Allowed');
});
