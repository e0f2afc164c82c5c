import { expect, test } from 'vitest';
import { wordFields } from '../../../app/studio/recipes/step-wording.ts';
import { readFields } from '../../../app/studio/tools/read-fields.ts';
import { TOOL_LIST } from '../../../app/studio/tools/tools.ts';
import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { listOwnEngines } from '../../../models/core/runtime/fit.ts';
import { SINGLE_OPERATIONS } from '../../../models/registry.ts';

/** Fields that a step can't have, or that have controls of their own. */
const WITHOUT_WORDS = ['sync_mode', 'crop', 'position'];

test.each(TOOL_LIST)('the fields of a step of $slug have words of people', ({ operationId, slug }) => {
  const operation: Operation = SINGLE_OPERATIONS[operationId];
  const fields = readFields(operation);
  const engines = Object.fromEntries(listOwnEngines(operation).map(({ id, name }) => [id, name]));
  const { main, more, wording } = wordFields(slug, fields, engines);
  expect(main.length).toBeGreaterThan(0);
  expect([...main, ...more]).toHaveLength(fields.length);
  for (const { name, kind } of fields.filter(({ name }) => !WITHOUT_WORDS.includes(name))) {
    const { label = '', choices = {} } = wording.fields[name] ?? {};
    expect(label, name).toMatch(/^[A-Z][a-z ]+$/);
    if (kind !== 'choice') continue;
    // A name of the API has small letters alone.
    for (const choice of Object.values(choices))
      expect(choice, name).toMatch(/^[A-Z\d]|^pyannote|^isnet|^u2net/);
  }
});
