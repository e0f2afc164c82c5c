import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('GET of an upload_url returns 404 as JSON: uploads cannot be read back', async () => {
  const { body } = await api.upload(Buffer.from('private'));
  const headers = { 'ocp-apim-subscription-key': api.apiKey };
  const response = await api.call('GET', new URL(body.upload_url).pathname, { headers });
  expect(response.status).toBe(404);
  expect(response.body).toEqual(problemBody('Not Found'));
});

it('GET /uploads returns 405 as JSON and names POST', async () => {
  const response = await api.call('GET', '/api/uploads');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
  expect(response.body.error).toBe('Method Not Allowed');
});
