import { batchPath } from '../../models/operation/batch.ts';
import { OPERATIONS } from '../../models/registry.ts';
import type { Endpoint } from './endpoints.ts';
import { exampleBody, keyHeader } from './example-request.ts';

/** Operation of the examples that need one. */
const QUOTED = OPERATIONS['remove-bg'];

/** Options for methods that curl does not choose by itself. */
const METHOD_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  HEAD: ['--head'],
  PATCH: ['-X PATCH'],
  DELETE: ['-X DELETE'],
};

/** Headers of a part of an upload. */
const PART = ['-H "Upload-Offset: 0"', '-H "Content-Type: application/offset+octet-stream"'];

/**
 * Returns a request to an endpoint, as a shell command. It reads the key, the id of a request and the URL for
 * the parts of a file from variables.
 * @param apiUrl API root without a trailing slash
 */
export function endpointExample(apiUrl: string, endpoint: Endpoint): string {
  const { method, path, keys } = endpoint;
  const isParts = path.includes('{token}');
  const url = isParts ? '"$PARTS_URL"' : apiUrl + path.replace('{request_id}', '$REQUEST_ID');
  const options = [
    ...(METHOD_OPTIONS[method] ?? []),
    ...(keys.length > 0 ? [`-H "${keyHeader(endpoint.operation ?? QUOTED)}"`] : []),
    ...bodyOptions(endpoint),
  ];
  return [`curl ${url}`, ...options].join(' \\\n  ');
}

function bodyOptions(endpoint: Endpoint): readonly string[] {
  const { bodyType, path } = endpoint;
  if (!bodyType) return [];
  if (path.includes('{token}')) return [...PART, '--data-binary @photo.jpg'];
  if (bodyType !== 'application/json') return ['-H "Content-Type: image/jpeg"', '--data-binary @photo.jpg'];
  return ['-H "Content-Type: application/json"', `-d '${JSON.stringify(bodyOf(endpoint))}'`];
}

function bodyOf({ id, path, operation }: Endpoint): object {
  if (id === 'startUpload') return { bytes: 120_000_000 };
  const body = exampleBody(operation ?? QUOTED);
  if (!operation) return { model_id: QUOTED.id, request: body };
  return operation.batch && batchPath(operation) === path ? { items: [body] } : body;
}
