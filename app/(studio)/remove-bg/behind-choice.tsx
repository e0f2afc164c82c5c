'use client';

import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import type { Behind } from '../../../models/remove-bg/look.ts';
import { BackgroundSwatches } from './background-swatches.tsx';
import styles from './behind-choice.module.css';

interface BehindChoiceProps {
  readonly behind: Behind;
  readonly onBehind: (behind: Behind) => void;
}

/** What stands behind the cutouts: shown at once, for all pictures. */
export function BehindChoice({ behind, onBehind }: BehindChoiceProps) {
  const picker = useRef<HTMLInputElement>(null);
  const css = behind.kind === 'css' ? behind.background : null;
  return (
    <fieldset className={styles.choice}>
      <legend>Background</legend>
      <BackgroundSwatches css={css} onCss={(background) => onBehind({ kind: 'css', background })} />
      <div className={styles.others}>
        <button
          type="button"
          className="button"
          aria-pressed={behind.kind === 'blurred'}
          onClick={() => onBehind({ kind: 'blurred' })}
        >
          Blurred
        </button>
        <button
          type="button"
          className="button"
          aria-pressed={behind.kind === 'picture'}
          onClick={() => picker.current?.click()}
        >
          <ImagePlus size={18} strokeWidth={1.5} aria-hidden />
          {behind.kind === 'picture' ? 'Another picture' : 'Own picture'}
        </button>
      </div>
      <input
        ref={picker}
        type="file"
        hidden
        accept="image/*"
        data-use="background"
        onChange={(event) => {
          const [picture] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (picture) onBehind({ kind: 'picture', picture });
        }}
      />
    </fieldset>
  );
}
