import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCdn, type TestCdn } from '../../support/service/cdn.ts';

describe.each(['disk', 's3'] as const)('a range of a result on %s', (kind) => {
  let cdn: TestCdn;
  let url: string;
  beforeAll(async () => {
    cdn = await startCdn(kind);
    ({ url } = await cdn.publish(Buffer.from('0123456789')));
  });
  afterAll(() => cdn.stop());

  test.each([
    ['bytes=0-1', '01', '0-1'],
    ['bytes=2-4', '234', '2-4'],
    ['bytes=7-', '789', '7-9'],
    ['bytes=7-99', '789', '7-9'],
    ['bytes=-3', '789', '7-9'],
    ['bytes=-99', '0123456789', '0-9'],
  ])('%s gives %s', async (range, body, bytes) => {
    const response = await cdn.request(url, { headers: { range } });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${bytes}/10`);
    expect(response.headers.get('content-length')).toBe(String(body.length));
    expect(await response.text()).toBe(body);
  });

  test.each(['bytes=4-2', 'bytes=', 'bytes=-', 'bytes=a-b', 'bytes=0-1,3-4', 'lines=0-1'])(
    '%s is not a single range and returns 200 with the whole file',
    async (range) => {
      const response = await cdn.request(url, { headers: { range } });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('0123456789');
    },
  );

  test('If-Range returns the range for the same file, otherwise the whole file', async () => {
    const etag = (await cdn.request(url, { method: 'HEAD' })).headers.get('etag') ?? '';
    const statusFor = async (ifRange: string) =>
      getStatus(cdn.request(url, { headers: { range: 'bytes=2-4', 'if-range': ifRange } }));
    expect(await statusFor(etag)).toBe(206);
    expect(await statusFor('"other"')).toBe(200);
  });
});

// The S3 test server treats an end of 0 as none, so this test is for the disk alone.
test('a range of the first byte returns one byte', async () => {
  const cdn = await startCdn('disk');
  const { url } = await cdn.publish(Buffer.from('0123456789'));
  const response = await cdn.request(url, { headers: { range: 'bytes=0-0' } });
  expect(response.headers.get('content-range')).toBe('bytes 0-0/10');
  expect(await response.text()).toBe('0');
  await cdn.stop();
});

async function getStatus(response: Promise<Response>): Promise<number> {
  const { status, body } = await response;
  await body?.cancel();
  return status;
}
