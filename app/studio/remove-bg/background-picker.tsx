'use client';

import { ImagePlus } from 'lucide-react';
import { useRef, useState } from 'react';
import { type BackdropPosition, CENTRED } from '../../../models/operations/remove-bg/backdrop.ts';
import type { BackgroundChoice } from '../../../models/operations/remove-bg/cutout-edits.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { FileInput } from '../files/choose-files.tsx';
import { Slider } from '../form/number-field.tsx';
import styles from './background-picker.module.css';
import { BACKGROUNDS, CUSTOM_COLOUR } from './backgrounds.ts';
import { ZOOM_MAX } from './move-background.ts';

interface BackgroundSwatchesProps {
  /** CSS of the selected background; null when another kind is selected. */
  readonly css: string | null;
  /** @param gesture name of a change that follows the pointer */
  readonly onCss: (css: string, gesture?: string) => void;
}

/** Background that is an image of the visitor's. */
type PictureChoice = Extract<BackgroundChoice, { kind: 'picture' }>;

interface BackgroundPositionProps {
  readonly picture: PictureChoice;
  /** @param gesture name of what changes: changes of one gesture are undone together */
  readonly onBackground: (background: BackgroundChoice, gesture: string) => void;
}

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
      const { probeImage } = await import('../../../models/media/image/image-header.ts');
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
      <FileInput
        ref={picker}
        accept="image/*"
        data-use="background"
        onFiles={([picture]) => picture && onPicture(picture)}
      />
    </>
  );
}

/** Chooses which part of the background image is shown, and how large. A drag in the Place view moves it, too. */
function BackgroundPositionSliders({ picture, onBackground }: BackgroundPositionProps) {
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

/** Offers ready backgrounds and a custom colour. */
function BackgroundSwatches({ css, onCss }: BackgroundSwatchesProps) {
  const isOwnColour = css !== null && !BACKGROUNDS.some((each) => each.css === css);
  return (
    <div className={styles.swatches}>
      {BACKGROUNDS.map((each) => (
        <label key={each.css} title={each.name}>
          <input
            type="radio"
            className="visually-hidden"
            name="background"
            aria-label={each.name}
            checked={css === each.css}
            onChange={() => onCss(each.css)}
          />
          <Swatch css={each.css} />
        </label>
      ))}
      <label className={styles.own} title="Custom colour" data-chosen={isOwnColour}>
        <input
          type="color"
          aria-label="Custom colour"
          value={isOwnColour ? css : CUSTOM_COLOUR}
          onChange={(event) => onCss(event.currentTarget.value, 'colour')}
        />
      </label>
    </div>
  );
}

/** Coloured by script: the page's policy allows no style attribute in server-rendered HTML. */
function Swatch({ css }: { readonly css: string }) {
  const colour = (swatch: HTMLSpanElement | null) => {
    if (swatch && css !== 'transparent') swatch.style.background = css;
  };
  return <span ref={colour} className={styles.swatch} data-transparent={css === 'transparent'} />;
}
