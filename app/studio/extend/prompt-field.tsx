'use client';

import form from '../form/params-form.module.css';
import styles from './extend.module.css';

const LENGTH_MAX = 2000;

interface PromptFieldProps {
  readonly prompt: string;
  readonly disabled: boolean;
  /** Called once the visitor has left the field, with a text that differs. */
  readonly onPrompt: (prompt: string) => void;
}

/** Field for what the added area is to show, for a model that reads text. */
export function PromptField({ prompt, disabled, onPrompt }: PromptFieldProps) {
  return (
    <div className={form.field}>
      <label className={form.label} htmlFor="prompt">
        Prompt
      </label>
      <textarea
        id="prompt"
        className={styles.prompt}
        rows={3}
        maxLength={LENGTH_MAX}
        placeholder="a meadow under a cloudy sky"
        key={prompt}
        defaultValue={prompt}
        disabled={disabled}
        aria-describedby="prompt-means"
        onBlur={({ currentTarget: { value } }) => value.trim() !== prompt && onPrompt(value.trim())}
      />
      <p id="prompt-means" className={styles.note}>
        What the added area shows, in English. Without a text the model continues what it sees.
      </p>
    </div>
  );
}
