'use client';

import { ImagePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { BackgroundChoice } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import { describeFailure } from '../../failures/describe-failure.ts';
import styles from './background-picker.module.css';
import { BackgroundPositionSliders } from './background-position.tsx';
import { BackgroundSwatches } from './background-swatches.tsx';

const PIXELS_MAX = 100_000_000;

interface BackgroundPickerProps {
  readonly background: BackgroundChoice;
  readonly onBackground: (background: BackgroundChoice, gesture?: string) => void;
}

/** Chooses the background of all cutouts; the preview updates at once. */
export function BackgroundPicker({ background, onBackground }: BackgroundPickerProps) {
  const [refused, setRefused] = useState<string | null>(null);
  const choose = (chosen: BackgroundChoice, gesture?: string) => {
    setRefused(null);
    onBackground(chosen, gesture);
  };
  // An image that only the browser can read would be shown, but missing from the file.
  const choosePicture = async (picture: File) => {
    try {
      const { probeImage } = await import('../../../../models/media/image/headers/image-header.ts');
      await probeImage(picture, { pixelsMax: PIXELS_MAX });
      choose({ kind: 'picture', picture });
    } catch (error) {
      setRefused(describeFailure(error));
    }
  };
  const css = background.kind === 'css' ? background.background : null;
  return (
    <fieldset className={styles.choice}>
      <legend>Background</legend>
      <BackgroundSwatches
        css={css}
        onCss={(background, gesture) => choose({ kind: 'css', background }, gesture)}
      />
      <div className={styles.others}>
        <button
          type="button"
          className="button"
          aria-pressed={background.kind === 'blurred'}
          onClick={() => choose({ kind: 'blurred' })}
        >
          Blurred
        </button>
        <PictureButton
          isChosen={background.kind === 'picture'}
          onPicture={(picture) => void choosePicture(picture)}
        />
      </div>
      {background.kind === 'picture' && (
        <BackgroundPositionSliders picture={background} onBackground={onBackground} />
      )}
      {refused && <p role="alert">{refused}</p>}
    </fieldset>
  );
}

interface PictureButtonProps {
  readonly isChosen: boolean;
  readonly onPicture: (picture: File) => void;
}

function PictureButton({ isChosen, onPicture }: PictureButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="button"
        aria-pressed={isChosen}
        onClick={() => picker.current?.click()}
      >
        <ImagePlus size={18} strokeWidth={1.5} aria-hidden />
        {isChosen ? 'Another image' : 'Your image'}
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        accept="image/*"
        data-use="background"
        onChange={(event) => {
          const [picture] = event.currentTarget.files ?? [];
          event.currentTarget.value = '';
          if (picture) onPicture(picture);
        }}
      />
    </>
  );
}
