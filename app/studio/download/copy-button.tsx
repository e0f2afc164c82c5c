'use client';

import { Copy } from 'lucide-react';
import { useState } from 'react';
import { OperationError } from '../../../models/core/operation/errors.ts';
import { useAbortOnUnmount } from '../../ui/hooks.ts';
import { describeFailure } from '../failures/describe-failure.ts';

const PNG = 'image/png';

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

/** Reports whether this browser copies images to the clipboard. */
function canCopyImages(): boolean {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  return typeof clipboard?.write === 'function' && typeof ClipboardItem !== 'undefined';
}

/**
 * Copies an image to the clipboard.
 * @param png may still be in the making: the browser counts the click that began it
 * @throws what `png` rejects with, or a DOMException when the page may not use the clipboard
 */
async function copyImage(png: Promise<Blob>): Promise<void> {
  const written = navigator.clipboard.write([new ClipboardItem({ [PNG]: png })]);
  // The image's own error says why; the clipboard would only report that it got nothing.
  await Promise.all([png, written]);
}

/**
 * Returns an image as PNG, the only format that all programs paste.
 * @throws OperationError when it cannot be decoded
 */
export async function getPng(image: Blob, signal: AbortSignal): Promise<Blob> {
  if (image.type === PNG) return image;
  const { runOperation } = await import('../../../workers/operation/run-operation.ts');
  const options = { signal, onProgress: () => {} };
  const { files } = await runOperation('media-convert-image', image, { to_format: 'png' }, options);
  return files[0]?.blob ?? image;
}
