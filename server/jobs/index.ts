export { abandonJob } from './lifecycle/abandon-job.ts';
export { awaitJobEnd } from './lifecycle/await-job-end.ts';
export {
  type DoneItem,
  listSettledItems,
  type SettledItem,
  settleItem,
  withDuplicates,
} from './lifecycle/batch-items.ts';
export { cancelJob } from './lifecycle/cancel-job.ts';
export { type Claim, claimJob } from './lifecycle/claim-job.ts';
export { completeJob } from './lifecycle/complete-job.ts';
export { DEADLINE_EXCEEDED, describeLongWait, LEFT_TOO_OFTEN, OVERDUE } from './lifecycle/deadline.ts';
export { endOverdueJobs } from './lifecycle/end-overdue-jobs.ts';
export { excuseAttempt } from './lifecycle/excuse-attempt.ts';
export { type Failure, type FailureCode, failJob } from './lifecycle/fail-job.ts';
export { listFencedAttempts } from './lifecycle/fenced-attempts.ts';
export { findRunDescription } from './lifecycle/find-run-description.ts';
export { getJob } from './lifecycle/get-job.ts';
export type { JobResult } from './lifecycle/job-result.ts';
export {
  findQueuedOutputs,
  type QueuedOutputs,
  queueOutputs,
  recordDeliveries,
  type StoredDelivery,
} from './lifecycle/output-deliveries.ts';
export {
  dropPartialOutputs,
  listPartialOutputs,
  type OutputPlace,
  recordPartialOutput,
} from './lifecycle/partial-outputs.ts';
export { reportProgress } from './lifecycle/report-progress.ts';
export { type Submission, submitJob } from './lifecycle/submit-job.ts';
export { summarizeBatch } from './lifecycle/summarize-batch.ts';
export {
  assertFailureBudget,
  hasFailureBudget,
  recordFailedRun,
  recordFailures,
  recordLongProbe,
} from './limits/failure-budget.ts';
export { assertStorageQuota } from './limits/storage-quota.ts';
export { expectedRunSeconds } from './queries/expected-run-seconds.ts';
export { type CachedResult, findCachedResult } from './queries/find-cached-result.ts';
export { readJobActivity } from './queries/job-activity.ts';
export type { Attempt, RequestFile, StoredFile } from './queries/job-row.ts';
export { buildResult, createJobRenderer, createUrlBuilder } from './queries/job-view.ts';
export { findJob, findLabels, listJobs } from './queries/list-jobs.ts';
export { listPreviews } from './queries/list-previews.ts';
export { countFailures, countJobs, listRunning, sumStored } from './queries/service-statistics.ts';
export { deleteExpiredFiles } from './retention/delete-expired-files.ts';
export { deleteOrphans } from './retention/delete-orphans.ts';
export { purgeJobs } from './retention/purge-jobs.ts';
