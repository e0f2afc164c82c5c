// @module-tag long

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { paramsSchema as removeBgSchema } from '../../../models/operations/remove-bg/schema.ts';
import { parseJsonObject } from '../../../server/api/transport/read-request.ts';
import { startApi, type TestApi } from '../../support/service/api.ts';

const VALUES = 'body: must hold at most 10000 values.';
const DEEP = 'body: must be nested at most 32 deep.';
const PROGRAM = 'tests/support/processes/parse-body-process.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const repeated = (text: string, count: number) => Array(count).fill(text).join(',');
const CROWDED: [string, string, string][] = [
  ['a list of numbers', `{"image_b64":[${repeated('0', 1_000_000)}]}`, VALUES],
  ['a list of objects', `{"image_b64":[${repeated('{}', 500_000)}]}`, VALUES],
  ['many fields', `{${repeated('"a":0', 200_000)}}`, VALUES],
  ['lists in lists', `{"image_b64":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, DEEP],
  ['values behind escapes', `{"a\\\\":"\\"","b":[${repeated('"\\\\"', 100_000)}]}`, VALUES],
  ['values after a string without an end', `{"a":[${repeated('0', 20_000)}],"b`, VALUES],
];

describe('a body of many values', () => {
  it.each(CROWDED)('%s is refused before it is parsed', async (_, body, message) => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(() => parseJsonObject(body)).toThrow(message);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
    expect(await api.removeBg(body)).toMatchObject({ status: 400, body: { error: 'Bad Request', message } });
  });

  it('in an item of a batch is a 400 of the batch', async () => {
    const response = await api.removeBgBatch(`{"items":[{"image_b64":[${repeated('0', 20_000)}]}]}`);
    expect(response).toMatchObject({ status: 400, body: { message: VALUES } });
  });

  it.each([
    ['request', VALUES],
    // Its texts alone are checked with as little.
    ['value', null],
  ])('takes hardly more memory than its text (%s)', async (part, message) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--import', 'tsx', PROGRAM],
      ...[part, '2000000'],
    ]);
    const measured: { message: string | null; bytes: number } = JSON.parse(stdout);
    expect(measured.message).toBe(message);
    expect(measured.bytes).toBeLessThan(100_000_000);
  });
});

describe('text that looks crowded is accepted', () => {
  it.each([
    ['brackets and commas in a string', JSON.stringify({ a: '[,{'.repeat(50_000) })],
    ['escaped quotes in a string', JSON.stringify({ a: '\\",[\\\\'.repeat(50_000) })],
    ['escapes in names', JSON.stringify({ 'a"\\': ['\\', '"', '\\"', ',[{'] })],
    ['as many values as a batch may have', JSON.stringify({ items: Array(9_000).fill(0) })],
    ['nested lists, one after the other', JSON.stringify({ a: Array(100).fill([[[[[[[[]]]]]]]]) })],
  ])('%s', (_, text) => {
    expect(parseJsonObject(text)).toEqual(JSON.parse(text));
  });

  it.each(['{"a', '{"a\\', '"', '{"a":"\\"', ']]]]', ''])(
    'and what is no JSON is called that: %s',
    (text) => {
      expect(() => parseJsonObject(text)).toThrow('body: must be valid JSON.');
    },
  );
});

it('a background that is too long is not read', () => {
  const background = `linear-gradient(${'sky,'.repeat(2_000)}blue)`;
  const { error } = removeBgSchema.safeParse({ background });
  expect(error?.issues.map(({ code }) => code)).toEqual(['too_big']);
});
