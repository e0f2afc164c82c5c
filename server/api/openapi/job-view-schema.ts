import type { Operation } from '../../../models/core/operation/define-operation.ts';
import { createJobViewSchema } from '../../../models/core/operation/job-view.ts';
import { OPERATIONS } from '../../../models/registry.ts';

const members = Object.values<Operation>(OPERATIONS).flatMap(({ jobMembers }) =>
  Object.entries(jobMembers?.shape ?? {}),
);

/** Schema of a job, with the members that single operations add. */
export const jobViewSchema = createJobViewSchema(Object.fromEntries(members));
