export { awaitJobChange, awaitJobEnd } from './lifecycle/await-job-end.ts';
export {
  type DoneItem,
  listSettledItems,
  type SettledItem,
  settleItem,
  summarizeBatch,
  withDuplicates,
} from './lifecycle/batch-items.ts';
export { type Claim, claimJob, claimLeasedJob, claimQueuedJob } from './lifecycle/claim-job.ts';
export { DEADLINE_EXCEEDED, describeLongWait, LEFT_TOO_OFTEN, OVERDUE } from './lifecycle/deadline.ts';
export {
  deleteEndedFiles,
  deleteExpiredFiles,
  deleteFiles,
  deleteOrphans,
  deleteOutput,
} from './lifecycle/delete-files.ts';
export { completeJob, failJob } from './lifecycle/end-job.ts';
export { endOverdueJobs } from './lifecycle/end-overdue-jobs.ts';
export {
  assertFailureBudget,
  countParts,
  hasFailureBudget,
  recordFailures,
} from './lifecycle/failure-budget.ts';
export { getJob } from './lifecycle/get-job.ts';
export type { Failure, JobResult } from './lifecycle/job-result.ts';
export {
  findQueuedOutputs,
  type QueuedOutputs,
  queueOutputs,
  recordDeliveries,
  type StoredDelivery,
} from './lifecycle/output-deliveries.ts';
export { listPartialOutputs, type OutputPosition, recordPartialOutput } from './lifecycle/partial-outputs.ts';
export { purgeJobs } from './lifecycle/purge-jobs.ts';
export { requeueJob, requeueOwnJob, retryOwnJob, uncountAttempt } from './lifecycle/requeue-job.ts';
export {
  findRunDescription,
  forgetCachedResult,
  listFencedAttempts,
  reportProgress,
} from './lifecycle/running-attempt.ts';
export { abandonJob, cancelJob } from './lifecycle/stop-job.ts';
export { assertStorageQuota } from './lifecycle/storage-quota.ts';
export { copyFiles, repeatResult, storeFiles } from './lifecycle/store-files.ts';
export { type Submission, submitJob } from './lifecycle/submit-job.ts';
export { deletePreset, findPreset, listPresets, type Preset, savePreset } from './presets.ts';
export { type CachedResult, findCachedResult } from './queries/find-cached-result.ts';
export type { Attempt, RequestFile, StoredFile } from './queries/job-row.ts';
export { createJobRenderer } from './queries/job-view.ts';
export { findJob, findLabels, type JobReference, listJobs, listPreviews } from './queries/list-jobs.ts';
export {
  countFailures,
  countJobs,
  expectedRunSeconds,
  listRunning,
  readJobActivity,
  readOldestQueuedSeconds,
  sumStored,
} from './queries/service-statistics.ts';
