'use client';

import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';

interface ChooseFilesProps {
  /** Value for the `accept` attribute of the picker. */
  readonly accept?: string;
  readonly className?: string | undefined;
  readonly label: string;
  readonly onFiles: (files: readonly File[]) => void;
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
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          // Cleared, so that choosing the same files again fires an event.
          event.currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
