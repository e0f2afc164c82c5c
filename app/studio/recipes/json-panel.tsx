'use client';

import { useRef } from 'react';
import { FileInput } from '../files/choose-files.tsx';
import { FoldedSettings } from '../form/folded-settings.tsx';
import { saveBlob } from '../runs/results.ts';
import { type Draft, toJson, toRecipeName } from './draft.ts';
import styles from './recipes.module.css';

interface JsonPanelProps {
  readonly draft: Draft;
  readonly name: string;
  readonly onText: (text: string) => Promise<void>;
}

/** Recipe as the JSON that API and command read: it can be edited, opened and saved. */
export function JsonPanel({ draft, name, onText }: JsonPanelProps) {
  const picker = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const json = `${JSON.stringify(toJson(draft), null, 2)}\n`;
  return (
    <FoldedSettings title="JSON" summary="for the API and the command">
      <div className={styles.json}>
        <textarea
          ref={field}
          key={json}
          aria-label="Recipe as JSON"
          rows={14}
          spellCheck={false}
          defaultValue={json}
        />
        <div className={styles.actions}>
          <button type="button" className="button" onClick={() => void onText(field.current?.value ?? '')}>
            Apply
          </button>
          <button type="button" className="button" onClick={() => picker.current?.click()}>
            Open JSON
          </button>
          <button
            type="button"
            className="button"
            onClick={() =>
              saveBlob(
                new Blob([json], { type: 'application/json' }),
                `${toRecipeName(name) || 'recipe'}.json`,
              )
            }
          >
            Save JSON
          </button>
        </div>
        <FileInput
          ref={picker}
          accept="application/json,.json"
          data-use="recipe"
          onFiles={([file]) => void file?.text().then(onText)}
        />
      </div>
    </FoldedSettings>
  );
}
