import { z } from 'zod';
import type { Operation } from '../../models/core/operation/define-operation.ts';
import type { Media } from '../../models/core/operation/inputs.ts';
import { writeCurl } from './curl.ts';

/** Shell variable of the examples that holds the key. */
const KEY = '$DARKROOM_KEY';

const EXAMPLE_FILES: Readonly<Record<Media, string>> = {
  image: 'photo.jpg',
  audio: 'talk.m4a',
  video: 'clip.mp4',
};

/** Returns the header that carries the key, with a shell variable in its place. */
export function keyHeader({ authentication }: Pick<Operation, 'authentication'>): string {
  return authentication === 'bearer' ? `Authorization: Bearer ${KEY}` : `Ocp-Apim-Subscription-Key: ${KEY}`;
}

/**
 * Returns the smallest request that an operation accepts, as a shell command: its first input by URL, and the params
 * without a default at their first value.
 * @param apiUrl API root without a trailing slash
 */
export function exampleRequest(apiUrl: string, operation: Operation): string {
  return writeCurl({
    url: apiUrl + operation.path,
    header: keyHeader(operation),
    body: exampleBody(operation),
  });
}

/** Returns the body of the smallest request that an operation accepts. */
export function exampleBody({ inputs, params }: Operation): Record<string, unknown> {
  const [name, input] = Object.entries(inputs).find(([, { encoding }]) => encoding === 'url') ?? [];
  const { properties = {}, required = [] } = z.toJSONSchema(params, { io: 'input' });
  // A pipeline needs steps unless it names a preset: they are not required by themselves.
  const isNeeded = ([param, schema]: [string, z.core.JSONSchema._JSONSchema]) =>
    required.includes(param) ||
    (typeof schema === 'object' && schema.type === 'array' && 'example' in schema);
  const named = Object.entries(properties).filter(isNeeded);
  const values = named.map(([param, schema]) => [param, firstValue(schema)]);
  const file = EXAMPLE_FILES[input?.media[0] ?? 'image'];
  return { ...(name && { [name]: `https://example.com/${file}` }), ...Object.fromEntries(values) };
}

function firstValue(schema: z.core.JSONSchema._JSONSchema | undefined): unknown {
  if (typeof schema !== 'object') return undefined;
  return schema.examples?.[0] ?? schema.example ?? schema.enum?.[0] ?? schema.minimum ?? '';
}
