import { join } from 'node:path';
import type { NextRequest } from 'next/server';
import { consoleFileUrl, readBuildId } from '../../../server/ops/build/console-files.ts';
import { isTheme, THEME_COOKIE, type Theme } from '../../ui/theme.ts';

interface ConsoleDocument {
  /** Base64 of the page's policy, which signs its scripts. */
  readonly nonce: string;
  /** Chosen theme; that of the system without. */
  readonly theme: Theme | undefined;
  readonly buildId: string;
}

/** Sends the API console. The policy, whose nonce signs its scripts, comes from `proxy.ts`. */
export async function GET(request: NextRequest): Promise<Response> {
  const [, nonce = ''] = /'nonce-([^']+)'/.exec(request.headers.get('content-security-policy') ?? '') ?? [];
  const chosen = request.cookies.get(THEME_COOKIE)?.value;
  const theme = isTheme(chosen) ? chosen : undefined;
  const buildId = await readBuildId(join(process.cwd(), '.next'));
  return new Response(consoleDocument({ nonce, theme, buildId }), {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

/**
 * Returns the HTML of the API console. It is a separate document rather than a page of the site: Scalar's styles, and
 * what it needs for its nonce, stay within it.
 */
function consoleDocument({ nonce, theme, buildId }: ConsoleDocument): string {
  const [styles, scalar, sans] = (['console.css', 'scalar.js', 'sans.woff2'] as const).map((name) =>
    consoleFileUrl(buildId, name),
  );
  return `<!doctype html>
<html lang="en"${theme ? ` data-theme="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API console · Darkroom</title>
<meta name="description" content="Send requests to the HTTP API from this page.">
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="${styles}">
<link rel="preload" href="${sans}" as="font" type="font/woff2" crossorigin>
</head>
<body>
<header>
<p><a href="/">Darkroom</a> <a href="/docs">Docs</a> <a href="/docs/reference">Reference</a></p>
<h1>API console</h1>
</header>
<p id="notice" role="status"></p>
<div id="console"><p>Loading the console…</p></div>
<noscript><p>The console needs JavaScript. The <a href="/docs/reference">reference</a> has the same without.</p></noscript>
<script nonce="${nonce}" src="/console.js"></script>
<script nonce="${nonce}" src="${scalar}" defer></script>
</body>
</html>
`;
}
