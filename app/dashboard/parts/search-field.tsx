'use client';

import formStyles from './form.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Text that is looked for at first. */
  readonly text?: string;
  readonly onSearch: (text: string) => void;
}

/** Field whose text is looked for once Enter is pressed or the field is left. */
export function SearchField({ label, placeholder, text = '', onSearch }: SearchFieldProps) {
  return (
    <input
      type="search"
      className={formStyles.input}
      aria-label={label}
      placeholder={placeholder}
      maxLength={600}
      defaultValue={text}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && onSearch(currentTarget.value.trim())}
      onBlur={({ currentTarget }) => onSearch(currentTarget.value.trim())}
      onInput={({ currentTarget }) => currentTarget.value === '' && onSearch('')}
    />
  );
}
