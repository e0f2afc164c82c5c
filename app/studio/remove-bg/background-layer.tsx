'use client';

import type { CSSProperties, ReactNode } from 'react';
import { type BackdropPosition, CENTRED } from '../../../models/operations/remove-bg/backdrop.ts';
import type { BackgroundChoice } from '../../../models/operations/remove-bg/cutout-edits.ts';
import { useObjectUrl } from '../../ui/hooks.ts';
import { isTransparent } from './backgrounds.ts';
import styles from './view-layers.module.css';

/** Background as the page shows it: a CSS `background`, an image that is moved in its box, or a special kind. */
export type BackgroundView =
  | { readonly background: string }
  | { readonly url: string; readonly position: BackdropPosition }
  | 'nothing'
  | 'blurred';

/** Shows a checkerboard where the cutout has no background. */
export function BackgroundLayer({
  background,
  children,
}: {
  readonly background: BackgroundView;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={styles.layers}
      data-transparent={background === 'nothing'}
      style={typeof background === 'object' && 'background' in background ? background : undefined}
    >
      {typeof background === 'object' && 'url' in background && (
        <div className={styles.picture} style={pictureStyle(background)} aria-hidden />
      )}
      {children}
    </div>
  );
}

/** Covers the box as `imageBackdrop` does: what overhangs it is cut off by the layer. */
function pictureStyle({ url, position }: Extract<BackgroundView, { readonly url: string }>): CSSProperties {
  const { x, y, scale } = position;
  return {
    left: `${-(scale - 1) * x * 100}%`,
    top: `${-(scale - 1) * y * 100}%`,
    width: `${scale * 100}%`,
    height: `${scale * 100}%`,
    background: `url(${url}) ${x * 100}% ${y * 100}% / cover`,
  };
}

export function useBackgroundView(background: BackgroundChoice): BackgroundView {
  const url = useObjectUrl(background.kind === 'picture' ? background.picture : undefined);
  if (background.kind === 'blurred') return 'blurred';
  if (background.kind === 'css')
    return isTransparent(background) ? 'nothing' : { background: background.background };
  return url === undefined ? 'nothing' : { url, position: background.position ?? CENTRED };
}
