'use client';

import { useEffect, useRef } from 'react';

interface NameFieldProps {
  readonly name: string;
  readonly onRename: (name: string) => void;
}

/** Field for a name, taken by Enter or on leaving. The focus stays in it after Enter. */
export function NameField({ name, onRename }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The name that was taken may differ from what was typed, or be undone.
    if (field.current) field.current.value = name;
  }, [name]);
  const take = (typed: string) => {
    if (typed === name) return;
    // An empty one brings the old name back, which is no change.
    if (field.current && typed.trim() === '') field.current.value = name;
    onRename(typed);
  };
  return (
    <label>
      <span>Name</span>
      <input
        ref={field}
        defaultValue={name}
        maxLength={80}
        aria-label={`Name of ${name}`}
        onBlur={(event) => take(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take(event.currentTarget.value);
        }}
      />
    </label>
  );
}
