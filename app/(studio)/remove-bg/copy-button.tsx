'use client';

import { Copy } from 'lucide-react';
import { useState } from 'react';

const SAID = {
  idle: '',
  working: 'Making the file…',
  done: 'Copied',
  failed: 'Not copied. Allow the clipboard for this page, or download the file.',
} as const;

/** Puts the result on the clipboard, and says how that went. */
export function CopyButton({ onCopy }: { readonly onCopy: () => Promise<void> }) {
  const [phase, setPhase] = useState<keyof typeof SAID>('idle');
  const copy = () => {
    setPhase('working');
    onCopy().then(
      () => setPhase('done'),
      () => setPhase('failed'),
    );
  };
  return (
    <>
      <span role="status" className="facts">
        {SAID[phase]}
      </span>
      <button type="button" className="button" disabled={phase === 'working'} onClick={copy}>
        <Copy size={18} strokeWidth={1.5} aria-hidden />
        Copy
      </button>
    </>
  );
}
