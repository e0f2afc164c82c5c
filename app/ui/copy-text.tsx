'use client';

import { useState } from 'react';

interface CopyTextProps {
  readonly text: string;
  readonly label?: string;
  /** Name of the text, where several buttons of a page have the same label. */
  readonly subject?: string;
}

/** Copies a text to the clipboard and says whether that went well. */
export function CopyText({ text, label = 'Copy', subject }: CopyTextProps) {
  const [said, say] = useState('');
  const copy = async () => {
    try {
      // A page that was not loaded by HTTPS has no clipboard.
      await navigator.clipboard.writeText(text);
      say('Copied');
    } catch {
      say('Not copied: select the text instead');
    }
  };
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={subject === undefined ? undefined : `${label}: ${subject}`}
        onClick={copy}
      >
        {label}
      </button>
      <span role="status" className="facts">
        {said}
      </span>
    </>
  );
}
