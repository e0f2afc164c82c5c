import { JOB_STATUSES, type JobStatus } from '../../models/core/operation/job.ts';
import { FieldList } from './field-list.tsx';

const MEANINGS: Readonly<Record<JobStatus, string>> = {
  QUEUED: 'Accepted. The price is held in the wallet.',
  PROCESSING: 'Running. progress goes from 0 to 1.',
  COMPLETED: 'The result is ready, and the price is charged.',
  FAILED: 'The input cannot be processed, or you canceled the request. Not charged.',
  ERROR: 'The service failed. Not charged.',
};

export function JobStates() {
  return <FieldList fields={JOB_STATUSES.map((status) => ({ name: status, text: MEANINGS[status] }))} />;
}
