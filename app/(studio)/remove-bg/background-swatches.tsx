'use client';

import styles from './background-swatches.module.css';
import { BACKGROUNDS, OWN_COLOUR } from './backgrounds.ts';

interface BackgroundSwatchesProps {
  /** The background that is chosen; null when it is of another kind. */
  readonly css: string | null;
  readonly onCss: (css: string) => void;
}

/** Backgrounds to choose with one click, and a colour of one's own. */
export function BackgroundSwatches({ css, onCss }: BackgroundSwatchesProps) {
  const isOwnColour = css !== null && !BACKGROUNDS.some((each) => each.css === css);
  return (
    <div className={styles.swatches}>
      {BACKGROUNDS.map((each) => (
        <label key={each.css} title={each.name}>
          <input
            type="radio"
            className="unseen-input"
            name="behind"
            aria-label={each.name}
            checked={css === each.css}
            onChange={() => onCss(each.css)}
          />
          <Swatch css={each.css} />
        </label>
      ))}
      <label className={styles.own} title="A colour of your own" data-chosen={isOwnColour}>
        <input
          type="color"
          aria-label="A colour of your own"
          value={isOwnColour ? css : OWN_COLOUR}
          onChange={(event) => onCss(event.currentTarget.value)}
        />
      </label>
    </div>
  );
}

/** Coloured by script: the page's policy allows no style attribute in what the server sends. */
function Swatch({ css }: { readonly css: string }) {
  const colour = (swatch: HTMLSpanElement | null) => {
    if (swatch && css !== 'transparent') swatch.style.background = css;
  };
  return <span ref={colour} className={styles.swatch} data-transparent={css === 'transparent'} />;
}
