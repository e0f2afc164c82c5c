import type { ReactNode } from 'react';

/** Line of a list: a field, a state or a status, with its meaning. */
export interface ListedField {
  readonly name: string;
  /** Small, below the name: `required`, `default 92`. */
  readonly note?: string;
  readonly text: ReactNode;
  /** Accepted values, on a line of their own. */
  readonly values?: string;
}
