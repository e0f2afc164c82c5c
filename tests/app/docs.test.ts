import { expect, it } from 'vitest';
import { exampleRequest } from '../../app/docs/example-request.ts';
import { requestFields } from '../../app/docs/request-fields.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { parseRequest } from '../../models/request.ts';

const API = 'https://darkroom.example/api';

it.each(Object.values(OPERATIONS))('the example of $id is a request that it accepts', (operation) => {
  const command = exampleRequest(API, operation);
  expect(command).toContain(`curl ${API}${operation.path} `);
  const [, body = ''] = /-d '(.*)'$/.exec(command) ?? [];
  expect(parseRequest(operation, JSON.parse(body)).value).toMatch(/^https:\/\/example\.com\//);
});

it.each(Object.values(OPERATIONS))(
  'the fields of $id are its inputs and params, each explained',
  (operation) => {
    const fields = requestFields(operation, { gplEncoders: true });
    const names = [...Object.keys(operation.inputs), ...Object.keys(operation.params.shape)];
    expect(fields.map(({ name }) => name)).toEqual(names);
    expect(fields.filter(({ description }) => description === '')).toEqual([]);
  },
);

it('a field shows its values, its default and whether it is required', () => {
  const fields = requestFields(OPERATIONS['media-convert-image'], { gplEncoders: false });
  const field = (name: string) => fields.find((each) => each.name === name);
  expect(field('to_format')).toMatchObject({
    isRequired: true,
    values: expect.stringContaining('png, webp'),
  });
  expect(field('to_format')?.values).not.toContain('heic');
  expect(field('quality')).toMatchObject({ isRequired: false, values: '1 to 100', initial: '92' });
  expect(field('keep_metadata')).toMatchObject({ values: 'true or false', initial: 'false' });
});
