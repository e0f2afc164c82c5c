const PNG = 'image/png';

/** Reports whether this browser copies images to the clipboard. */
export function canCopyImages(): boolean {
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  return typeof clipboard?.write === 'function' && typeof ClipboardItem !== 'undefined';
}

/**
 * Copies an image to the clipboard.
 * @param png may still be in the making: the browser counts the click that began it
 * @throws what `png` rejects with, or a DOMException when the page may not use the clipboard
 */
export async function copyImage(png: Promise<Blob>): Promise<void> {
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
