import { expect, test } from 'vitest';
import { requiredParams } from '../../../../models/core/device/required-params.ts';
import { parseParams } from '../../../../models/core/operation/params.ts';
import { OPERATIONS } from '../../../../models/registry.ts';

test.each(Object.values(OPERATIONS))('the required params of $id are enough for a run', ({ params }) => {
  expect(() => parseParams(params, requiredParams(params))).not.toThrow();
});
