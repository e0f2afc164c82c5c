import { expect, test } from 'vitest';
import { parseParams } from '../../models/params.ts';
import { OPERATIONS } from '../../models/registry.ts';
import { requiredParams } from '../../models/required-params.ts';

test.each(Object.values(OPERATIONS))('the required params of $id are enough for a run', ({ params }) => {
  expect(() => parseParams(params, requiredParams(params))).not.toThrow();
});
