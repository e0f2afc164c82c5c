'use client';

import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import type { Behind } from '../../../models/remove-bg/look.ts';
import { BACKGROUNDS, OWN_COLOUR } from './backgrounds.ts';
import styles from './behind-choice.module.css';

interface BehindChoiceProps {
  readonly behind: Behind;
  readonly onBehind: (behind: Behind) => void;
}

/** What stands behind the cutouts: shown at once, for all of them. */
export function BehindChoice({ behind, onBehind }: BehindChoiceProps) {
  const picker = useRef<HTMLInputElement>(null);
  const css = behind.kind === 'css' ? behind.background : null;
  const isOwnColour = css !== null && !BACKGROUNDS.some((each) => each.css === css);
  return (
    <fieldset className={styles.choice}>
      <legend>Background</legend>
      <div className={styles.swatches}>
        {BACKGROUNDS.map((each) => (
          <label key={each.css} title={each.name}>
            <input
              type="radio"
              name="behind"
              aria-label={each.name}
              checked={css === each.css}
              onChange={() => onBehind({ kind: 'css', background: each.css })}
            />
            <Swatch css={each.css} />
          </label>
        ))}
        <label className={styles.own} title="A colour of your own" data-chosen={isOwnColour}>
          <input
            type="color"
            aria-label="A colour of your own"
            value={isOwnColour ? css : OWN_COLOUR}
            onChange={(event) => onBehind({ kind: 'css', background: event.currentTarget.value })}
          />
        </label>
      </div>
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

/** Coloured by script: the page's policy allows no style attribute in what the server sends. */
function Swatch({ css }: { readonly css: string }) {
  return (
    <span
      className={styles.swatch}
      data-transparent={css === 'transparent'}
      style={css === 'transparent' ? undefined : { background: css }}
    />
  );
}
