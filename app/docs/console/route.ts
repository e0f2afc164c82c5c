import { join } from 'node:path';
import type { NextRequest } from 'next/server';
import { readBuildId } from '../../../server/ops/build/console-files.ts';
import { isTheme, THEME_COOKIE } from '../../ui/theme.ts';
import { consoleDocument } from './console-document.ts';

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
