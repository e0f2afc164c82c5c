'use client';

import styles from './background-swatches.module.css';
import { BACKGROUNDS, CUSTOM_COLOUR } from './backgrounds.ts';

interface BackgroundSwatchesProps {
  /** CSS of the selected background; null when another kind is selected. */
  readonly css: string | null;
  /** @param gesture name of a change that follows the pointer */
  readonly onCss: (css: string, gesture?: string) => void;
}

/** Offers ready backgrounds and a custom colour. */
export function BackgroundSwatches({ css, onCss }: BackgroundSwatchesProps) {
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
