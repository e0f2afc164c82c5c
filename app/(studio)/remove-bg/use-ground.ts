'use client';

import type { Behind } from '../../../models/remove-bg/look.ts';
import { useObjectUrl } from '../frame/use-object-url.ts';
import { isTransparent } from './backgrounds.ts';

/** What stands behind, as the page shows it: `background` in CSS, or what has a way of its own. */
export type Ground = { readonly background: string } | 'nothing' | 'blurred';

export function useGround(behind: Behind): Ground {
  const url = useObjectUrl(behind.kind === 'picture' ? behind.picture : undefined);
  if (behind.kind === 'blurred') return 'blurred';
  if (behind.kind === 'css') return isTransparent(behind) ? 'nothing' : { background: behind.background };
  return url === undefined ? 'nothing' : { background: `url(${url}) center / cover` };
}
