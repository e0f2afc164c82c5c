'use client';

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { useAbortOnUnmount } from '../../ui/use-abort-on-unmount.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { canCopyImages, copyImage } from './copy-image.ts';

const MAKING = 'Preparing file…';
const REFUSED = 'Not copied. Allow the clipboard for this page, or download the file.';

interface CopyButtonProps {
  /** Makes the image to copy, as PNG. The signal aborts when the component unmounts. */
  readonly make: (signal: AbortSignal) => Promise<Blob>;
}

/** Copies an image to the clipboard and reports the outcome. Renders nothing where the browser cannot copy images. */
export function CopyButton({ make }: CopyButtonProps) {
  const [said, say] = useState('');
  const leaving = useAbortOnUnmount();
  const copy = () => {
    say(MAKING);
    copyImage(make(leaving.begin())).then(
      () => say('Copied'),
      (error: unknown) => say(error instanceof OperationError ? describeFailure(error) : REFUSED),
    );
  };
  if (!canCopyImages()) return null;
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
