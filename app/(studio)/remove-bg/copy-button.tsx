'use client';

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { OperationError } from '../../../models/errors.ts';
import { failureWords } from '../batch/failure-words.ts';
import { useAbortOnUnmount } from '../frame/use-abort-on-unmount.ts';

const MAKING = 'Preparing file…';
const REFUSED = 'Not copied. Allow the clipboard for this page, or download the file.';

interface CopyButtonProps {
  /** Called with a signal that aborts when the component unmounts. */
  readonly onCopy: (signal: AbortSignal) => Promise<void>;
}

/** Copies the result to the clipboard and reports the outcome. */
export function CopyButton({ onCopy }: CopyButtonProps) {
  const [said, say] = useState('');
  const leaving = useAbortOnUnmount();
  const copy = () => {
    say(MAKING);
    onCopy(leaving.begin()).then(
      () => say('Copied'),
      (error: unknown) => say(error instanceof OperationError ? failureWords(error) : REFUSED),
    );
  };
  return (
    <>
      <span role="status" className="facts">
        {said}
      </span>
      <button type="button" className="button" disabled={said === MAKING} onClick={copy}>
        <Copy size={18} strokeWidth={1.5} aria-hidden />
        Copy
      </button>
    </>
  );
}
