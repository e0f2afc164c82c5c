import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, it } from 'vitest';
import { OPERATIONS } from '../../../models/registry.ts';
import { openApiDocument } from '../../../server/api/openapi-document.ts';

const OUTPUT_PATH = '#/paths/~1v2~1requests~1{request_id}~1output';
/** Each run of spectral takes a second of processor time: one origin stands for the other. */
const ORIGIN = 'https://darkroom.test';

it.each([ORIGIN, 'http://localhost:3000'])(
  'the document of %s passes the recommended rules of redocly without a warning',
  async (origin) => {
    const source = JSON.stringify(openApiDocument(origin, OPERATIONS));
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
    // No request_id is `status`.
    const problems = found.filter(({ location: [first] }) => first?.pointer !== OUTPUT_PATH);
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
      [],
    );
  },
);

it('the document passes the rules of spectral for OpenAPI without a warning', async () => {
  const linter = new spectral.Spectral();
  linter.setRuleset(oas as spectral.RulesetDefinition);
  const problems = await linter.run({ ...openApiDocument(ORIGIN, OPERATIONS) });
  expect(problems.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([]);
});
