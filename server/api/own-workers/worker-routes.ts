import { type KeyedHandler, type Route, requireKey } from '../route.ts';
import { CLAIMS_PATH, claimJobs } from './claim-jobs.ts';
import { keepClaim, receiveOutput, returnClaim, sendInput, settleClaim } from './claimed-jobs.ts';

const JOBS_CHANGED = { authentication: 'either', permission: 'jobs.change' } as const;

const ofClaim = (method: Route['method'], suffix: string, handle: KeyedHandler): Route => ({
  method,
  path: `${CLAIMS_PATH}/`,
  suffix,
  audience: 'programs',
  handle: requireKey(JOBS_CHANGED, handle),
});

/** Routes of the machines of accounts, which take jobs of their own account. */
export const WORKER_ROUTES: readonly Route[] = [
  { method: 'POST', path: CLAIMS_PATH, audience: 'programs', handle: requireKey(JOBS_CHANGED, claimJobs) },
  ofClaim('DELETE', '', returnClaim),
  ofClaim('POST', '/progress', keepClaim),
  ofClaim('GET', '/files', sendInput),
  ofClaim('POST', '/files', receiveOutput),
  ofClaim('POST', '/report', settleClaim),
];
