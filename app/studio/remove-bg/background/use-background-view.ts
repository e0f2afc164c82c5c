'use client';

import { type BackdropPosition, CENTRED } from '../../../../models/operations/remove-bg/backdrop/backdrop.ts';
import type { BackgroundChoice } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import { useObjectUrl } from '../../../ui/use-object-url.ts';
import { isTransparent } from './backgrounds.ts';

/** Background as the page shows it: a CSS `background`, an image that is moved in its box, or a special kind. */
export type BackgroundView =
  | { readonly background: string }
  | { readonly url: string; readonly position: BackdropPosition }
  | 'nothing'
  | 'blurred';

export function useBackgroundView(background: BackgroundChoice): BackgroundView {
  const url = useObjectUrl(background.kind === 'picture' ? background.picture : undefined);
  if (background.kind === 'blurred') return 'blurred';
  if (background.kind === 'css')
    return isTransparent(background) ? 'nothing' : { background: background.background };
  return url === undefined ? 'nothing' : { url, position: background.position ?? CENTRED };
}
