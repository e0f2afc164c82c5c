'use client';

import { useState } from 'react';
import { useAbortOnUnmount } from '../../../ui/use-abort-on-unmount.ts';
import { describeFailure } from '../../failures/describe-failure.ts';
import { useStage } from '../view/stage-context.ts';
import overlay from '../view/stage-overlay.module.css';
import styles from './difference-button.module.css';
import { findDifference } from './focus.tsx';

interface DifferenceButtonProps {
  readonly before: Blob;
  readonly after: Blob;
}

/** Shows the region in which two states of an image differ most, at 100 or 200 %. */
export function DifferenceButton({ before, after }: DifferenceButtonProps) {
  const stage = useStage();
  const leaving = useAbortOnUnmount();
  const [said, say] = useState('Largest difference');
  if (!stage) return null;
  const show = async () => {
    const signal = leaving.begin();
    say('Comparing…');
    try {
      const point = await findDifference(before, after, signal);
      if (signal.aborted) return;
      stage.focusOn(point);
      say('Largest difference');
    } catch (error) {
      if (!signal.aborted) say(describeFailure(error));
    }
  };
  return (
    <div className={`${overlay.overlay} ${styles.place}`}>
      <button type="button" onClick={() => void show()}>
        {said}
      </button>
    </div>
  );
}
