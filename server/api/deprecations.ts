import { buildOnce } from '../../models/core/build-once.ts';
import { batchPath } from '../../models/core/operation/batch.ts';
import { buildDeprecationHeaders, type Deprecation } from '../../models/core/operation/deprecation.ts';
import { type Context, getOperations, type Operations } from '../base/context.ts';

/** Lists the deprecated routes of the public API by method and path. Operations declare theirs. */
export const listDeprecations = buildOnce((operations: Operations): ReadonlyMap<string, Deprecation> => {
  const declared = Object.values(operations).flatMap((operation) => {
    const { path, batch, deprecation } = operation;
    const paths = batch ? [path, batchPath(operation)] : [path];
    return deprecation ? paths.map((each) => [`POST ${each}`, deprecation] as const) : [];
  });
  return new Map(declared);
});

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
