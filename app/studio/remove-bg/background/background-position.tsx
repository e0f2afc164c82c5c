'use client';

import { type BackdropPosition, CENTRED } from '../../../../models/operations/remove-bg/backdrop/backdrop.ts';
import type { BackgroundChoice } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import { Slider } from '../../form/slider.tsx';
import styles from './background-picker.module.css';
import { ZOOM_MAX } from './move-background.ts';

/** Background that is an image of the visitor's. */
export type PictureChoice = Extract<BackgroundChoice, { kind: 'picture' }>;

interface BackgroundPositionProps {
  readonly picture: PictureChoice;
  /** @param gesture name of what changes: changes of one gesture are undone together */
  readonly onBackground: (background: BackgroundChoice, gesture: string) => void;
}

/** Chooses which part of the background image is shown, and how large. A drag in the Place view moves it, too. */
export function BackgroundPositionSliders({ picture, onBackground }: BackgroundPositionProps) {
  const position = picture.position ?? CENTRED;
  const change = (part: Partial<BackdropPosition>) =>
    onBackground({ ...picture, position: { ...position, ...part } }, Object.keys(part).join());
  return (
    <div className={styles.position}>
      <Slider
        label="Zoom"
        value={position.scale}
        min={1}
        max={ZOOM_MAX}
        onValue={(scale) => change({ scale })}
      />
      <Slider label="Left to right" value={position.x} max={1} onValue={(x) => change({ x })} />
      <Slider label="Top to bottom" value={position.y} max={1} onValue={(y) => change({ y })} />
    </div>
  );
}
