import { expect, it, vi } from 'vitest';
import { endpointExample } from '../../../app/docs/endpoint-example.ts';
import type { ListedField } from '../../../app/docs/endpoints.ts';
import { type Endpoint, getEndpoints } from '../../../app/docs/endpoints.ts';
import { exampleRequest } from '../../../app/docs/example-request.ts';
import { parseRequest, targetFields } from '../../../models/core/operation/request.ts';
import { OPERATIONS } from '../../../models/registry.ts';
import { writePricingFile } from '../../support/service/pricing-file.ts';

const API = 'https://darkroom.example/api';

it.each(Object.values(OPERATIONS))('the example of $id is a request that it accepts', (operation) => {
  const command = exampleRequest(API, operation);
  expect(command).toContain(`curl ${API}${operation.path} `);
  const [, body = ''] = /-d '(.*)'$/.exec(command) ?? [];
  expect(parseRequest(operation, JSON.parse(body)).value).toMatch(/^https:\/\/example\.com\//);
});

const endpointAt = (id: string, options = { gplEncoders: true }): Endpoint => {
  const found = getEndpoints(OPERATIONS, options).find((each) => each.id === id);
  if (!found) throw new Error(`no endpoint ${id}`);
  return found;
};
const getFields = ({ groups }: Endpoint, title: string): readonly ListedField[] =>
  groups.find((group) => group.title === title)?.fields ?? [];

it.each(Object.values(OPERATIONS))(
  'the fields of $id are its inputs, params, places of the result and the run, and labels, each explained',
  (operation) => {
    const fields = getFields(endpointAt(operation.id), 'Body');
    const { inputs, params } = operation;
    const names = [inputs, params.shape, targetFields(operation)].flatMap((each) => Object.keys(each));
    const own = fields.map(({ name }) => name).filter((name) => !name.includes('.'));
    expect(own).toEqual([...names, 'run_on', 'reference', 'metadata']);
    expect(fields.filter(({ text }) => text === '')).toEqual([]);
  },
);

it('every endpoint, field and status is explained, by words and no other signs', () => {
  for (const endpoint of getEndpoints(OPERATIONS, { gplEncoders: true })) {
    const { id, title, description, groups, statuses } = endpoint;
    const fields = groups.flatMap((group) => group.fields.map((field) => [group.title, field] as const));
    const texts = [
      ...[title, description].map((text) => [id, text] as const),
      ...statuses.map(({ name, text }) => [`${id} ${name}`, text] as const),
      ...fields.map(([group, { name, text }]) => [`${id} ${group}: ${name}`, text] as const),
    ];
    // Pairs of backticks are shown as code, in all but titles.
    const isPlain = (text: unknown) =>
      typeof text === 'string' && text !== '' && text.split('`').length % 2 === 1;
    expect(texts.filter(([, text]) => !isPlain(text))).toEqual([]);
    expect(title).not.toContain('`');
    const marks = fields.flatMap(([, { note = '', values = '' }]) => [note, values]);
    expect(marks.filter((mark) => /`|\[object/.test(mark))).toEqual([]);
  }
});

it('a field shows its values, its default and whether it is required', () => {
  const fields = getFields(endpointAt('media-convert-image', { gplEncoders: false }), 'Body');
  const field = (name: string) => fields.find((each) => each.name === name);
  expect(field('to_format')).toMatchObject({
    note: 'required',
    values: expect.stringContaining('png, webp'),
  });
  expect(field('to_format')?.values).not.toContain('heic');
  expect(field('quality')).toMatchObject({ note: 'default 92', values: '1 to 100' });
  expect(field('keep_metadata')).toMatchObject({ note: 'default false', values: 'true or false' });
});

it('members of objects and lists are fields of their own', () => {
  const batch = getFields(endpointAt('remove-bg-batch'), 'Body').map(({ name }) => name);
  expect(batch).toContain('items[].image_url');
  const job = getFields(endpointAt('getRequestStatus'), 'Response: 200');
  const field = (name: string) => job.find((each) => each.name === name);
  expect(field('output')).toMatchObject({ note: 'object or null' });
  expect(field('output.media_url')).toMatchObject({ note: 'list' });
  expect(field('error')).toMatchObject({ note: 'string or null' });
  expect(field('status')?.values).toContain('COMPLETED');
});

it.each(Object.values(OPERATIONS).filter(({ batch }) => batch))(
  'the items of $id-batch have the result of that operation, or an error',
  (operation) => {
    const fields = getFields(endpointAt(`${operation.id}-batch`), 'Response: 200');
    const names = fields.map(({ name }) => name);
    const result = Object.keys(operation.response?.schema.shape ?? { media_url: 0 });
    const expected = [...result, 'error', 'code', 'field'].map((name) => `output.items[].${name}`);
    expect(names).toEqual(expect.arrayContaining(expected));
    const others = ['media_url', 'output_url', 'flagged'].filter((name) => !result.includes(name));
    const foreign = [...others.map((name) => `output.items[].${name}`), 'output.result'];
    expect(names.filter((name) => foreign.includes(name))).toEqual([]);
  },
);

it('the fields of every alternative of a body are listed', () => {
  const quote = getFields(endpointAt('createQuote'), 'Response: 200').map(({ name }) => name);
  expect(quote).toEqual(expect.arrayContaining(['facts', 'items[].price_usd', 'items[].error']));
  const report = getFields(endpointAt('reportRun'), 'Body');
  expect(report.find(({ name }) => name === 'outcome')).toMatchObject({
    note: 'required',
    values: 'completed, failed, error, retry',
  });
  expect(report.find(({ name }) => name === 'engine')?.note).toBeUndefined();
  const job = getFields(endpointAt('getRequestStatus'), 'Response: 200').map(({ name }) => name);
  const results = ['output.items[].output_url', 'output.items[].flagged', 'output.items[].error'];
  expect(job).toEqual(expect.arrayContaining(results));
});

it('an endpoint names its key, its parameters and its statuses', () => {
  const list = endpointAt('listRequests');
  expect(list).toMatchObject({ method: 'GET', keys: ['Ocp-Apim-Subscription-Key', 'Authorization: Bearer'] });
  expect(getFields(list, 'Query').map(({ name }) => name)).toContain('cursor');
  expect(list.statuses.map(({ name }) => name)).toEqual(['200', '400', '401', '429', '500', '503']);
  expect(getFields(endpointAt('cancelRequest'), 'Path')).toMatchObject([
    { name: 'request_id', note: 'required' },
  ]);
  expect(endpointAt('getHealth').keys).toEqual([]);
  expect(endpointExample(API, endpointAt('getHealth'))).toBe(`curl ${API}/health`);
});

it('the page of limits has the prices of the terms', async () => {
  const path = await writePricingFile({ prices: { 'remove-bg': { image: '0.0077' } } });
  vi.stubEnv('TERMS_FILE', path);
  // Types of the tests know no JSX.
  const page: string = '../../../app/docs/limits/page.tsx';
  const { default: LimitsPage } = await import(page);
  expect(JSON.stringify(LimitsPage())).toContain('$0.0077 per image, $0.05 per started second');
});

it('the form explains its fields in plain text', async () => {
  const page: string = '../../../app/docs/try/page.tsx';
  const { default: TryPage } = await import(page);
  const shown = JSON.stringify(TryPage());
  expect(shown).toContain('with it and without fit: inside.');
  expect(shown).not.toContain('`');
});
