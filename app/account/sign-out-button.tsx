'use client';

import { callAuth } from './call-auth.ts';

/** Signs out, then loads the next page whole. */
export function SignOutButton({ next }: { readonly next: string }) {
  return (
    <button
      type="button"
      className="button"
      onClick={() => callAuth('/sign-out', {}).finally(() => location.assign(next))}
    >
      Sign out
    </button>
  );
}
