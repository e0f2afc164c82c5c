import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { withoutGplFormats } from '../../models/media/image/gpl-formats.ts';
import type { Operations } from '../base/context/context.ts';
import { describeRoute } from './openapi/describe-route.ts';
import { TAGS } from './openapi/openapi-parts.ts';
import { WEBHOOKS } from './openapi/webhook-paths.ts';
import { listRoutes } from './routes/list-routes.ts';

/**
 * Builds the OpenAPI 3.1 document of the public API from its routes, with the schemas that check their requests. Routes
 * for the studio's pages or for operators are not in it.
 * @param options.gplEncoders whether formats that need GPL encoders are available
 */
export function openApiDocument(
  publicUrl: string,
  operations: Operations,
  { gplEncoders = true }: { gplEncoders?: boolean } = {},
): object {
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Darkroom',
      version: '1.0.0',
      description:
        'Image, audio and video processing as prepaid jobs. Every error has a code of one table: see the schema ErrorCode.',
      contact: { name: 'Guides', url: `${publicUrl}/docs` },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: serverUrl(publicUrl), description: 'This installation.' }],
    tags: Object.values(TAGS),
    paths: describePaths(gplEncoders ? operations : leaveOutGplFormats(operations)),
    webhooks: WEBHOOKS,
    components: {
      securitySchemes: {
        subscriptionKey: { type: 'apiKey', in: 'header', name: 'Ocp-Apim-Subscription-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  });
}

function describePaths(operations: Operations): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of listRoutes(operations)) {
    if (!route.docs) continue;
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: describeRoute(route, route.docs),
    };
  }
  return paths;
}

function leaveOutGplFormats(operations: Operations): Operations {
  const entries = Object.entries(operations).map(
    ([id, operation]) => [id, { ...operation, params: withoutGplFormats(operation.params) }] as const,
  );
  return Object.fromEntries(entries);
}

/**
 * Returns the URL of the API: relative on an address that only this machine knows, since a reader of the document may
 * know the machine by another.
 */
function serverUrl(publicUrl: string): string {
  return /^https?:\/\/localhost(:|\/|$)/.test(publicUrl) ? '/api' : `${publicUrl}/api`;
}
