'use client';

import type { Role } from '../../../server/api/trpc/router.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import styles from '../parts/form.module.css';

interface RoleChoiceProps {
  /** Name for screen readers, where no label stands next to it. */
  readonly label?: string;
  readonly id?: string;
  readonly role: Role;
  readonly isDisabled?: boolean;
  readonly onRole: (role: Role) => void;
}

/** Choice of a role, by name. */
export function RoleChoice({ label, id, role, isDisabled = false, onRole }: RoleChoiceProps) {
  return (
    <select
      id={id}
      className={styles.input}
      aria-label={label}
      value={role}
      disabled={isDisabled}
      onChange={({ target }) => onRole(target.value as Role)}
    >
      {Object.entries(ROLE_TEXTS).map(([value, { name }]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
