'use client';

import { ImagePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { messageOf } from '../../../models/errors.ts';
import { probeImage } from '../../../models/kernels/image-header.ts';
import type { Behind } from '../../../models/remove-bg/look.ts';
import { BackgroundSwatches } from './background-swatches.tsx';
import styles from './behind-choice.module.css';

const PIXELS_MAX = 100_000_000;

interface BehindChoiceProps {
  readonly behind: Behind;
  readonly onBehind: (behind: Behind) => void;
}

/** What stands behind the cutouts: shown at once, for all pictures. */
export function BehindChoice({ behind, onBehind }: BehindChoiceProps) {
  const picker = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const choose = (chosen: Behind) => {
    setRefused(null);
    onBehind(chosen);
  };
  // What only the browser can read would be shown, and then not be in the file.
  const choosePicture = (picture: File) =>
    probeImage(picture, { pixelsMax: PIXELS_MAX }).then(
      () => choose({ kind: 'picture', picture }),
      (error: unknown) => setRefused(messageOf(error)),
    );
  const css = behind.kind === 'css' ? behind.background : null;
  return (
    <fieldset className={styles.choice}>
      <legend>Background</legend>
      <BackgroundSwatches css={css} onCss={(background) => choose({ kind: 'css', background })} />
      <div className={styles.others}>
        <button
          type="button"
          className="button"
          aria-pressed={behind.kind === 'blurred'}
          onClick={() => choose({ kind: 'blurred' })}
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
      {refused && <p role="alert">{refused}</p>}
      <input
        ref={picker}
        type="file"
        hidden
        accept="image/*"
        data-use="background"
        onChange={(event) => {
          const [picture] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (picture) void choosePicture(picture);
        }}
      />
    </fieldset>
  );
}
