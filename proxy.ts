import { type NextRequest, NextResponse } from 'next/server';
import { pagePolicy } from './app/content-security-policy.ts';

/** Gives every page a policy with a nonce of its own. Next reads it from the request and signs its scripts with it. */
export function proxy(request: NextRequest): NextResponse {
  const nonce = btoa(crypto.randomUUID());
  const policy = pagePolicy(nonce, { development: process.env.NODE_ENV === 'development' });
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

export const config = {
  // Pages only: answers for programs, result files and built assets carry their own headers.
  matcher: '/((?!api/|cdn/|_next/|samples/|.*\\.[a-z0-9]+$).*)',
};
