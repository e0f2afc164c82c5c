import { readEnv } from '../../../server/base/env.ts';

export const dynamic = 'force-dynamic';

const YEAR_MS = 365 * 86_400_000;

/** Sends where to report a vulnerability, as RFC 9116 describes. */
export function GET(): Response {
  const { OPERATOR_CONTACT, PUBLIC_URL } = readEnv();
  const policy = `${PUBLIC_URL}/security`;
  const lines = [
    `Contact: ${OPERATOR_CONTACT ?? policy}`,
    `Expires: ${new Date(Date.now() + YEAR_MS).toISOString()}`,
    `Policy: ${policy}`,
    `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
    'Preferred-Languages: en',
  ];
  return new Response(`${lines.join('\n')}\n`, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
