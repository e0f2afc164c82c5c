'use client';

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { OperationError } from '../../../models/errors.ts';
import { useLeaving } from '../frame/use-leaving.ts';

const MAKING = 'Making the file…';
const REFUSED = 'Not copied. Allow the clipboard for this page, or download the file.';

interface CopyButtonProps {
  /** Given a signal that aborts when nobody waits any more. */
  readonly onCopy: (signal: AbortSignal) => Promise<void>;
}

/** Puts the result on the clipboard, and says how that went. */
export function CopyButton({ onCopy }: CopyButtonProps) {
  const [said, say] = useState('');
  const leaving = useLeaving();
  const copy = () => {
    say(MAKING);
    onCopy(leaving.begin()).then(
      () => say('Copied'),
      (error: unknown) => say(error instanceof OperationError ? error.message : REFUSED),
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
