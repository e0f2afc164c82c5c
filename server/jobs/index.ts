export { awaitJobEnd } from './lifecycle/await-job-end.ts';
export {
  type DoneItem,
  listSettledItems,
  type SettledItem,
  settleItem,
  withDuplicates,
} from './lifecycle/batch-items.ts';
export { copyFiles, repeatResult } from './lifecycle/cached-result.ts';
export { type Claim, claimJob, claimLeasedJob, claimQueuedJob } from './lifecycle/claim-job.ts';
export { DEADLINE_EXCEEDED, describeLongWait, LEFT_TOO_OFTEN, OVERDUE } from './lifecycle/deadline.ts';
export { completeJob, failJob } from './lifecycle/end-job.ts';
export { endOverdueJobs } from './lifecycle/end-overdue-jobs.ts';
export { listFencedAttempts } from './lifecycle/fenced-attempts.ts';
export { findRunDescription } from './lifecycle/find-run-description.ts';
export { getJob } from './lifecycle/get-job.ts';
export type { Failure, FailureCode, JobResult } from './lifecycle/job-result.ts';
export {
  findQueuedOutputs,
  type QueuedOutputs,
  queueOutputs,
  recordDeliveries,
  type StoredDelivery,
} from './lifecycle/output-deliveries.ts';
export {
  listPartialOutputs,
  type OutputPlace,
  recordPartialOutput,
} from './lifecycle/partial-outputs.ts';
export { reportProgress } from './lifecycle/report-progress.ts';
export { requeueJob, requeueOwnJob, retryOwnJob, uncountAttempt } from './lifecycle/requeue-job.ts';
export { abandonJob, cancelJob } from './lifecycle/stop-job.ts';
export { storeFiles } from './lifecycle/store-files.ts';
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
export { createJobRenderer } from './queries/job-view.ts';
export { findJob, findLabels, type JobReference, listJobs } from './queries/list-jobs.ts';
export { listPreviews } from './queries/list-previews.ts';
export {
  countFailures,
  countJobs,
  listRunning,
  readOldestQueuedSeconds,
  sumStored,
} from './queries/service-statistics.ts';
export { deleteEndedFiles, deleteExpiredFiles } from './retention/delete-expired-files.ts';
export { deleteOrphans } from './retention/delete-orphans.ts';
export { purgeJobs } from './retention/purge-jobs.ts';
