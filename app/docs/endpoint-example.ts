import { batchPath } from '../../models/core/operation/batch.ts';
import { OPERATIONS } from '../../models/registry.ts';
import type { Endpoint } from './endpoints.ts';
import { exampleBody, keyHeader } from './example-request.ts';

/** Operation of the examples that need one. */
const QUOTED = OPERATIONS['remove-bg'];

/** Options for methods that curl does not choose by itself. */
const METHOD_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  HEAD: ['--head'],
  PATCH: ['-X PATCH'],
  PUT: ['-X PUT'],
  DELETE: ['-X DELETE'],
};

/** Queries of endpoints that need one. */
const QUERIES: Readonly<Record<string, string>> = {
  getClaimFile: '?role=input&position=0',
  sendClaimFile: '?position=0&file=0&name=output.jpg',
};

/** Names in paths, where they are no ids that a variable holds. */
const NAMES: Readonly<Record<string, string>> = { name: 'shop' };

/** Endpoints whose response goes on until the caller ends it: curl prints what comes as it comes. */
const STREAMS: readonly string[] = ['getWebhookEvents'];

/** Bodies of endpoints that have one of their own. */
const BODIES: Readonly<Record<string, object>> = {
  startUpload: { bytes: 120_000_000 },
  createToken: { max_usd: '0.50', expires_in_seconds: 600 },
  sendTestEvent: { outcome: 'completed' },
  putPreset: {
    steps: [
      { id: 'cut', operation: 'remove-bg' },
      { id: 'web', operation: 'convert', from: 'cut', params: { to_format: 'webp', width: 800 } },
    ],
  },
  claimJob: { worker: 'studio-2' },
  reportProgress: { progress: 0.4 },
  reportRun: { outcome: 'failed', position: 0, code: 'unprocessable', message: 'The image is torn.' },
};

/** Header of a file of a result. */
const DIGEST = '-H "Content-Digest: sha-256=:$(openssl dgst -sha256 -binary photo.jpg | base64):"';

/** Headers of a part of an upload. */
const PART = ['-H "Upload-Offset: 0"', '-H "Content-Type: application/offset+octet-stream"'];

/**
 * Returns a request to an endpoint, as a shell command. It reads the key, the id in the path and
 * the URL for the parts of a file from variables.
 * @param apiUrl API root without a trailing slash
 */
export function endpointExample(apiUrl: string, endpoint: Endpoint): string {
  const { method, id, path, keys } = endpoint;
  const isParts = path.includes('{token}');
  const called = path.replace(/\{(\w+)\}/, (_, name: string) => NAMES[name] ?? `$${name.toUpperCase()}`);
  const query = QUERIES[id];
  const plainUrl = query === undefined ? apiUrl + called : `"${apiUrl}${called}${query}"`;
  const url = isParts ? '"$PARTS_URL"' : plainUrl;
  const options = [
    ...(METHOD_OPTIONS[method] ?? []),
    ...(STREAMS.includes(id) ? ['--no-buffer'] : []),
    ...(keys.length > 0 ? [`-H "${keyHeader(endpoint.operation ?? QUOTED)}"`] : []),
    ...bodyOptions(endpoint),
  ];
  return [`curl ${url}`, ...options].join(' \\\n  ');
}

function bodyOptions(endpoint: Endpoint): readonly string[] {
  const { id, bodyType, path } = endpoint;
  if (!bodyType) return [];
  if (path.includes('{token}')) return [...PART, '--data-binary @photo.jpg'];
  if (bodyType !== 'application/json') {
    const digest = id === 'sendClaimFile' ? [DIGEST] : [];
    return ['-H "Content-Type: image/jpeg"', ...digest, '--data-binary @photo.jpg'];
  }
  return ['-H "Content-Type: application/json"', `-d '${JSON.stringify(getBody(endpoint))}'`];
}

function getBody({ id, path, operation }: Endpoint): object {
  const own = BODIES[id];
  if (own) return own;
  const body = exampleBody(operation ?? QUOTED);
  if (!operation) return { model_id: QUOTED.id, request: body };
  return operation.batch && batchPath(operation) === path ? { items: [body] } : body;
}
