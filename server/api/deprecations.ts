import { batchPath } from '../../models/core/operation/batch.ts';
import { buildDeprecationHeaders, type Deprecation } from '../../models/core/operation/deprecation.ts';
import { type Context, getOperations, type Operations } from '../base/context.ts';

/** Deprecated routes besides those of operations, by method and path: `GET /v2/wallet`. */
const FIXED_ROUTES: Readonly<Record<string, Deprecation>> = {};

type Deprecations = ReadonlyMap<string, Deprecation>;

const lists = new WeakMap<Operations, Deprecations>();

/** Lists the deprecated routes of the public API by method and path. Operations declare theirs. */
export function listDeprecations(operations: Operations): Deprecations {
  const known = lists.get(operations) ?? readDeprecations(operations);
  lists.set(operations, known);
  return known;
}

function readDeprecations(operations: Operations): Deprecations {
  const declared = Object.values(operations).flatMap((operation) => {
    const { path, batch, deprecation } = operation;
    const paths = batch ? [path, batchPath(operation)] : [path];
    return deprecation ? paths.map((each) => [`POST ${each}`, deprecation] as const) : [];
  });
  return new Map([...Object.entries(FIXED_ROUTES), ...declared]);
}

/**
 * Announces the end of a route, if it is to come, in the headers of a response.
 * @param route method and path of the route
 */
export function announceDeprecation(ctx: Context, response: Response, route: string): void {
  const deprecation = listDeprecations(getOperations(ctx)).get(route);
  if (!deprecation) return;
  const headers = buildDeprecationHeaders(deprecation, `${ctx.env.PUBLIC_URL}/docs/deprecation`);
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
}
