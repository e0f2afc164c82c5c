import type { Operation } from '../../models/core/operation/define-operation.ts';
import { createJobViewSchema } from '../../models/core/operation/job-view.ts';
import { OPERATIONS } from '../../models/registry.ts';

/** Schema of a job of any operation. */
export const jobViewSchema = createJobViewSchema(Object.values<Operation>(OPERATIONS));
