import { batchPath } from '../../models/batch.ts';
import { OPERATIONS } from '../../models/registry.ts';
import type { Endpoint } from './endpoints.ts';
import { exampleBody, keyHeader } from './example-request.ts';

/** Operation of the examples that need one. */
const QUOTED = OPERATIONS['remove-bg'];

/**
 * Returns a request to an endpoint, as a shell command. It reads the key and the id of a request from variables.
 * @param apiUrl API root without a trailing slash
 */
export function endpointExample(apiUrl: string, endpoint: Endpoint): string {
  const { method, path, keys, bodyType } = endpoint;
  const url = apiUrl + path.replace('{request_id}', '$REQUEST_ID');
  const options = [
    ...(method === 'DELETE' ? ['-X DELETE'] : []),
    ...(keys.length > 0 ? [`-H "${keyHeader(endpoint.operation ?? QUOTED)}"`] : []),
    ...bodyOptions(endpoint, bodyType),
  ];
  return [`curl ${url}`, ...options].join(' \\\n  ');
}

function bodyOptions({ path, operation }: Endpoint, bodyType: string | undefined): readonly string[] {
  if (!bodyType) return [];
  if (bodyType !== 'application/json') return ['-H "Content-Type: image/jpeg"', '--data-binary @photo.jpg'];
  const isBatch = operation?.batch && batchPath(operation) === path;
  const body = exampleBody(operation ?? QUOTED);
  const sent = isBatch ? { items: [body] } : operation ? body : { model_id: QUOTED.id, request: body };
  return ['-H "Content-Type: application/json"', `-d '${JSON.stringify(sent)}'`];
}
