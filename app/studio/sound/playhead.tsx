'use client';

import { useEffect, useRef } from 'react';
import styles from './sound.module.css';
import type { Player } from './sound-player.ts';
import type { TimeView } from './time-view.ts';

/** Line at the position of the player. It moves without rendering the page. */
export function Playhead({ player, view }: { readonly player: Player; readonly view: TimeView }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const share = (player.atSeconds.get() - view.fromSeconds) / view.seconds;
      const target = line.current;
      if (!target) return;
      target.hidden = !(share >= 0 && share <= 1);
      target.style.insetInlineStart = `${share * 100}%`;
    };
    place();
    return player.atSeconds.subscribe(place);
  }, [player, view]);
  return <div ref={line} className={styles.playhead} aria-hidden hidden />;
}
