'use client';

import { useState } from 'react';

/** Copies a text to the clipboard and says whether that went well. */
export function CopyText({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [said, say] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Not copied: select the text instead'),
    );
  return (
    <>
      <button type="button" className="button" onClick={copy}>
        {label}
      </button>
      <span role="status" className="facts">
        {said}
      </span>
    </>
  );
}
