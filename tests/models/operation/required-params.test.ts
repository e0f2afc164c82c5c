import { expect, test } from 'vitest';
import { parseParams } from '../../../models/operation/params.ts';
import { requiredParams } from '../../../models/operation/required-params.ts';
import { OPERATIONS } from '../../../models/registry.ts';

test.each(Object.values(OPERATIONS))('the required params of $id are enough for a run', ({ params }) => {
  expect(() => parseParams(params, requiredParams(params))).not.toThrow();
});
