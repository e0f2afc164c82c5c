/** Name of the events of a job, for `addEventListener`. */
export const JOB_EVENT = 'job';
