import { OperationError } from '../../../models/core/operation/errors.ts';
import { getOperations } from '../../base/context.ts';
import { defineRoute } from '../route.ts';
import { findAvailableEngine } from '../submit/assert-engines.ts';
import { jsonResponse } from '../transport/problem.ts';

/** The engine that `auto` would use on this server now, so that a page can say so before anything is sent. */
export const getNextEngine = defineRoute({
  method: 'GET',
  path: '/engines/{model_id}',
  audience: 'pages',
  bucket: 'engines',
  async handle({ ctx, segment: modelId }) {
    const operations = getOperations(ctx);
    const operation = Object.hasOwn(operations, modelId) ? operations[modelId] : undefined;
    if (!operation?.engines) {
      throw new OperationError('not_found', 'No operation with several engines has this id.');
    }
    return jsonResponse(200, { engine: await findAvailableEngine(ctx, operation) });
  },
});
