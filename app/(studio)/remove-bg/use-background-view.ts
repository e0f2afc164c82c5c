'use client';

import type { BackgroundChoice } from '../../../models/remove-bg/cutout-edits.ts';
import { useObjectUrl } from '../frame/use-object-url.ts';
import { isTransparent } from './backgrounds.ts';

/** Background as the page shows it: a CSS `background`, or one of the special kinds. */
export type BackgroundView = { readonly background: string } | 'nothing' | 'blurred';

export function useBackgroundView(behind: BackgroundChoice): BackgroundView {
  const url = useObjectUrl(behind.kind === 'picture' ? behind.picture : undefined);
  if (behind.kind === 'blurred') return 'blurred';
  if (behind.kind === 'css') return isTransparent(behind) ? 'nothing' : { background: behind.background };
  return url === undefined ? 'nothing' : { background: `url(${url}) center / cover` };
}
