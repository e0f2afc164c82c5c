export { claimOwnJob, listWorkers, type OwnClaim, type OwnRun } from './claim-own-job.ts';
export { findInput, findOwnAttempt, formatClaimId, holdLease } from './own-attempt.ts';
export { type OwnFailure, type OwnSuccess, settleOwnRun } from './settle-own-run.ts';
export { storeOutput } from './store-output.ts';
