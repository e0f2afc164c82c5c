import { OperationError } from '../../../models/core/operation/errors.ts';

/**
 * Returns the fields of a request's query.
 * @throws OperationError `bad_request` when one is given twice
 */
export function parseQuery(request: Request): Record<string, string> {
  const entries = [...new URL(request.url).searchParams];
  const query = Object.fromEntries(entries);
  if (Object.keys(query).length < entries.length) {
    const names = entries.map(([name]) => name);
    const field = names.find((name, at) => names.indexOf(name) < at);
    throw new OperationError('bad_request', 'query: a field is given twice. Give each once.', { field });
  }
  return query;
}
