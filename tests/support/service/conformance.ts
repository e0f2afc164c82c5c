import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiResponse, TestApi } from './api.ts';

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, { content?: unknown }> }>>;
}

/**
 * Reads the service's OpenAPI document.
 * @returns a function that lists how a response differs from what the document says of its route and status
 */
export async function createConformanceCheck(
  api: Pick<TestApi, 'call'>,
): Promise<(method: string, path: string, response: Pick<ApiResponse, 'status' | 'body'>) => string[]> {
  const document = (await api.call('GET', '/api/openapi.json')).body as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'openapi');
  return (method, path, { status, body }) => {
    const route = document.paths[path]?.[method.toLowerCase()];
    const response = route?.responses[status];
    if (!response) return [`${method} ${path}: ${status} is not documented`];
    if (!response.content) return body === '' ? [] : [`${method} ${path}: ${status} has a body`];
    const at = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content'];
    const pointer = [...at, 'application/json', 'schema'].map(escapePointer).join('/');
    const validate = ajv.compile({ $ref: `openapi#/${pointer}` });
    if (validate(body)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** Escapes a step of a JSON pointer (RFC 6901) in a URI fragment. */
function escapePointer(step: string): string {
  return encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
}
