import { OperationError } from '../../../models/core/operation/errors.ts';
import { timeCursor } from '../../base/database/cursor.ts';
import {
  getLoggedRequest,
  type LoggedRequestRow,
  listLoggedRequests,
} from '../../identity/request-log/index.ts';
import { modeProcedure, router } from './init.ts';
import { requestInput, requestsInput } from './inputs.ts';

export const requestsRouter = router({
  /** The account's requests to the API, newest first. */
  list: modeProcedure('jobs.see')
    .input(requestsInput)
    .query(async ({ ctx: { ctx, accountId }, input }) => {
      const { statusClass, method, search, from, to, limit } = input;
      const after = timeCursor.unpack(input.cursor);
      const query = { accountId, statusClass, method, search, from, to, after, limit };
      const { requests, next } = await listLoggedRequests(ctx.db, query);
      return {
        requests: requests.map(showRequest),
        next: next && timeCursor.pack(next),
        keptDays: ctx.env.REQUEST_LOG_DAYS,
      };
    }),
  /** One request, with its JSON in short and the response that said what was wrong. */
  get: modeProcedure('jobs.see')
    .input(requestInput)
    .query(async ({ ctx: { ctx, accountId, isTest }, input: { id } }) => {
      const found = await getLoggedRequest(ctx.db, { accountId, id: BigInt(id) });
      if (!found) throw new OperationError('not_found', `There is no request ${id} in the log.`);
      const { userAgent, idempotencyKey, body, problem } = found;
      return {
        ...showRequest(found),
        isTest,
        userAgent,
        idempotencyKey,
        body: body === null ? null : JSON.stringify(body, null, 2),
        problem: problem === null ? null : JSON.stringify(problem, null, 2),
      };
    }),
});

function showRequest(request: LoggedRequestRow) {
  const { id, createdAt, method, path, status, requestId, jobId, operationId, durationMs, address } = request;
  const { keyName: name, keyPrefix: prefix } = request;
  return {
    id: String(id),
    createdAt: createdAt.toISOString(),
    method,
    path,
    status,
    requestId,
    jobId,
    modelId: operationId,
    durationMs,
    address,
    /** null for the session of a signed-in user. */
    key: name === null || prefix === null ? null : { name, prefix },
    code: readText(request.problem, 'code'),
    message: readText(request.problem, 'message'),
  };
}

/** Returns a text of a stored response; null where it has none of that name. */
function readText(problem: unknown, name: 'code' | 'message'): string | null {
  if (typeof problem !== 'object' || problem === null) return null;
  const { [name]: value }: { readonly code?: unknown; readonly message?: unknown } = problem;
  return typeof value === 'string' ? value : null;
}
