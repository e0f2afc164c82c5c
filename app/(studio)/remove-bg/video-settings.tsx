'use client';

import { VIDEO_FORMATS } from '../../../models/video-codec.ts';
import form from '../frame/params-form.module.css';
import { BackgroundSwatches } from './background-swatches.tsx';
import behind from './behind-choice.module.css';
import styles from './format-choice.module.css';
import { meaningOf, type VideoLook } from './video-look.ts';

export const VIDEO_FORMAT_NAMES: Readonly<Record<VideoLook['format'], string>> = {
  mp4: 'MP4',
  webm: 'WebM',
};

interface VideoSettingsProps {
  readonly look: VideoLook;
  readonly disabled: boolean;
  readonly onLook: (look: VideoLook) => void;
}

/** What is chosen for all videos before they are run. */
export function VideoSettings({ look, disabled, onLook }: VideoSettingsProps) {
  return (
    <>
      <fieldset className={behind.choice} disabled={disabled}>
        <legend>Background of videos</legend>
        <BackgroundSwatches css={look.background} onCss={(background) => onLook({ ...look, background })} />
      </fieldset>
      <fieldset className={form.field} disabled={disabled} aria-describedby="video-format-means">
        <legend className={form.label}>Format of videos</legend>
        <div className={styles.formats}>
          {VIDEO_FORMATS.map((each) => (
            <label key={each} className={form.choice}>
              <input
                type="radio"
                className="unseen-input"
                name="video-format"
                checked={look.format === each}
                onChange={() => onLook({ ...look, format: each })}
              />
              <span>{VIDEO_FORMAT_NAMES[each]}</span>
            </label>
          ))}
        </div>
        <p id="video-format-means" className={styles.means}>
          {meaningOf(look)}
        </p>
      </fieldset>
    </>
  );
}
