'use client';

import { Camera, ImagePlus } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';

interface ChooseFilesProps {
  /** Value for the `accept` attribute of the picker. */
  readonly accept?: string;
  readonly className?: string | undefined;
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that opens the camera of a phone or tablet; absent where there is a pointer. */
export function TakePhoto({
  className = 'button',
  onFiles,
}: Pick<ChooseFilesProps, 'className' | 'onFiles'>) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={`${className} for-touch`} onClick={() => input.current?.click()}>
        <Camera size={20} strokeWidth={1.5} aria-hidden />
        Take a photo
      </button>
      <FileInput ref={input} accept="image/*" capture="environment" onFiles={onFiles} />
    </>
  );
}

/** A button that opens the system's file picker. */
export function ChooseFiles({
  accept,
  className = 'button button-primary',
  label,
  onFiles,
}: ChooseFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        <ImagePlus size={20} strokeWidth={1.5} aria-hidden />
        {label}
      </button>
      <FileInput ref={input} multiple accept={accept} onFiles={onFiles} />
    </>
  );
}

interface FileInputProps extends ComponentProps<'input'>, Pick<ChooseFilesProps, 'onFiles'> {
  /** Names the input for tests, where a page has several. */
  readonly 'data-use'?: string;
}

/** Input that a button next to it opens. */
export function FileInput({ onFiles, ...input }: FileInputProps) {
  return (
    <input
      {...input}
      type="file"
      hidden
      onChange={(event) => {
        const files = [...(event.currentTarget.files ?? [])];
        // Cleared, so that choosing the same files again fires an event.
        event.currentTarget.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  );
}
