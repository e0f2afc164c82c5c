import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi, type TestApi } from '../../support/service/api.ts';
import { problemBody } from '../../support/service/problem-body.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

it('GET of an upload_url returns 405 as JSON: uploads cannot be read back', async () => {
  const { body } = await api.upload(Buffer.from('private'));
  const headers = { 'ocp-apim-subscription-key': api.apiKey };
  const response = await api.call('GET', new URL(body.upload_url).pathname, { headers });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'DELETE']);
  expect(response.body).toEqual(problemBody('Method Not Allowed'));
});

it.each(['unknown', '%00', '%FF'])('DELETE /uploads/%s returns 404 or 400 as JSON', async (id) => {
  const headers = { 'ocp-apim-subscription-key': api.apiKey };
  const response = await api.call('DELETE', `/api/uploads/${id}`, { headers });
  expect([response.status, response.body.code]).toEqual([404, 'not_found']);
});
