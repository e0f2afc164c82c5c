'use client';

import type { BackgroundChoice } from '../../../../models/remove-bg/cutout-edits.ts';
import { useObjectUrl } from '../../../ui/use-object-url.ts';
import { isTransparent } from './backgrounds.ts';

/** Background as the page shows it: a CSS `background`, or one of the special kinds. */
export type BackgroundView = { readonly background: string } | 'nothing' | 'blurred';

export function useBackgroundView(background: BackgroundChoice): BackgroundView {
  const url = useObjectUrl(background.kind === 'picture' ? background.picture : undefined);
  if (background.kind === 'blurred') return 'blurred';
  if (background.kind === 'css')
    return isTransparent(background) ? 'nothing' : { background: background.background };
  return url === undefined ? 'nothing' : { background: `url(${url}) center / cover` };
}
