import { type NextRequest, NextResponse } from 'next/server';
import { PAGE_PATH } from './app/account/next-page.ts';
import { pagePolicy } from './app/security/content-security-policy.ts';

/** Gives every page a policy with its own nonce. Next reads it from the request and signs its scripts with it. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = pagePolicy(nonce, { development: process.env.NODE_ENV === 'development' });
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  headers.set(PAGE_PATH, request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  // Next would send `no-store`, with which browsers load a page again for Back and Forward.
  response.headers.set('cache-control', 'private, no-cache');
  return response;
}

export const config = {
  // Everything but responses for programs, result files and the folders of files, which carry their own headers. A path
  // that leads nowhere is a page as well, whatever its extension; server/api/transport/page-headers.ts covers the
  // rest.
  matcher: '/((?!api/|cdn/|_next/|samples/|vendor/|(?:offline|service-worker)\\.js$).*)',
};
