'use client';

import type { ComponentProps } from 'react';
import { getKeys } from '../../../models/core/records.ts';
import formStyles from './form.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder: string;
  /** Text that is looked for at first. */
  readonly text?: string;
  readonly onSearch: (text: string) => void;
}

interface SelectProps<Value extends string> extends Pick<ComponentProps<'select'>, 'id' | 'disabled'> {
  /** Name for screen readers, where no label stands next to it. */
  readonly label?: string | undefined;
  readonly value: Value;
  /** Name of each choice, in their order. */
  readonly choices: Readonly<Record<Value, string>>;
  readonly onChoose: (value: Value) => void;
}

interface MoreProps {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly isPending: boolean;
    readonly error: { readonly message: string } | null;
    fetchNextPage(): unknown;
  };
  readonly isEmpty: boolean;
  /** Sentence for an empty list. */
  readonly empty: string;
}

/** End of a list: its state, and a button for the next page. */
export function LoadMore({ list, isEmpty, empty }: MoreProps) {
  if (list.isPending) return <p role="status">Loading…</p>;
  if (list.error) return <p role="alert">{list.error.message}</p>;
  if (isEmpty) return <p>{empty}</p>;
  if (!list.hasNextPage) return null;
  return (
    <div>
      <button
        type="button"
        className="button"
        disabled={list.isFetchingNextPage}
        onClick={() => list.fetchNextPage()}
      >
        {list.isFetchingNextPage ? 'Loading…' : 'Show more'}
      </button>
    </div>
  );
}

/** Choice of one of several names. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { label, choices, onChoose, ...select } = props;
  return (
    <select
      className={formStyles.input}
      aria-label={label}
      onChange={({ target }) => onChoose(target.value as Value)}
      {...select}
    >
      {getKeys(choices).map((each) => (
        <option key={each} value={each}>
          {choices[each]}
        </option>
      ))}
    </select>
  );
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
