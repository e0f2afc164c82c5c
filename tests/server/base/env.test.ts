import { expect, it } from 'vitest';
import { readEnv } from '../../../server/base/env.ts';

it.each([
  [{ PORT: 'abc' }, 'PORT: must be a number.'],
  [{ RESULT_TTL_HOURS: '-1' }, 'RESULT_TTL_HOURS: must be more than 0.'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN: must be at least 16 characters long.'],
  [{ OPERATOR_CONTACT: 'Ada' }, 'OPERATOR_CONTACT: must be an e-mail address, or an http:// or https:// URL'],
  [{ GPL_ENCODERS: 'maybe' }, 'GPL_ENCODERS: must be one of on, off.'],
  [{ FETCH_ALLOW_NETWORKS: 'all' }, 'FETCH_ALLOW_NETWORKS: must be a comma list of CIDRs'],
])('names the variable and what is allowed for %j', (env, message) => {
  expect(() => readEnv(env)).toThrow(`The environment is not valid.\n${message}`);
});
