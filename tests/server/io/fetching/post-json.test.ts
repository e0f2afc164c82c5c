import { afterAll, beforeAll, expect, test } from 'vitest';
import { asBadRequest, networkFault } from '../../../../server/io/fetching/fetch-fault.ts';
import { postJson } from '../../../../server/io/fetching/index.ts';
import { type HttpTarget, startHttpTarget } from '../../../support/servers/http-target.ts';

let target: HttpTarget;
beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    if (request.url === '/redirect') response.writeHead(307, { location: '/ok' }).end();
    else if (request.url === '/ok') response.writeHead(204).end();
    else if (request.url === '/words') response.end('Thank you.');
    else if (request.url === '/chatty') {
      const writeBody = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', writeBody);
      writeBody();
    }
  });
});
afterAll(() => target.stop());

const post = (path: string, allowNetworks = ['127.0.0.1/32']) =>
  postJson(target.origin + path, {
    body: '{"ä":1}',
    headers: { 'webhook-id': 'x' },
    timeoutMs: 600,
    allowNetworks,
  });

test('a fault of this machine is an outage, and none of the receiver', () => {
  const fault = networkFault(Object.assign(new Error('too many open files'), { code: 'EMFILE' }));
  expect(asBadRequest(fault)).toMatchObject({ code: 'unavailable', dependency: 'memory' });
});

test('the body arrives byte for byte with its headers', async () => {
  expect(await post('/ok')).toEqual({ status: 204, start: '' });
  const last = target.requests.at(-1);
  expect(last?.body).toBe('{"ä":1}');
  expect(last?.request.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'x' });
});

test('a redirect is returned, not followed', async () => {
  const before = target.requests.length;
  expect(await post('/redirect')).toEqual({ status: 307, start: '' });
  expect(target.requests).toHaveLength(before + 1);
});

test('of an endless response only the start is read, without NULs', async () => {
  const { status, start } = await post('/chatty');
  expect(status).toBe(200);
  expect(start).toBe('\ufffd'.repeat(2_000));
});

test('the start of a response is kept', async () => {
  expect(await post('/words')).toEqual({ status: 200, start: 'Thank you.' });
});

test('a silent server runs into the timeout', async () => {
  await expect(post('/silent')).rejects.toMatchObject({ code: 'bad_request' });
});

test('a private address is not contacted', async () => {
  const before = target.requests.length;
  await expect(post('/ok', [])).rejects.toThrow('must resolve to a public address');
  expect(target.requests).toHaveLength(before);
});
