import { OPERATIONS } from '../../models/registry.ts';
import { readEnv } from '../../server/base/env.ts';
import { guideAt } from '../docs/guides.ts';
import { TWIN_PATHS } from '../docs/read-twin.ts';

/** Responds with what language models should read of the service, in the form of https://llmstxt.org. */
export function GET(): Response {
  const { PUBLIC_URL } = readEnv();
  const guides = TWIN_PATHS.map((href) => {
    const { name, brief } = guideAt(href);
    return `- [${name}](${PUBLIC_URL}${href}.md): ${brief}`;
  });
  const operations = Object.values(OPERATIONS).map(
    ({ id, path, summary }) => `- \`POST ${PUBLIC_URL}/api${path}\` (${id}): ${summary}`,
  );
  const text = `# Darkroom

> Image, audio and video processing as an HTTP API of prepaid jobs, and free in the browser.

## Guides

${guides.join('\n')}

## API

- [OpenAPI 3.1](${PUBLIC_URL}/api/openapi.json): every path, field, response and status
${operations.join('\n')}
`;
  return new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}

/** The address of the service is known when it runs. */
export const dynamic = 'force-dynamic';
