'use client';

import { useMutation } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { mapRecord } from '../../../models/core/records.ts';
import type { CallOutputs, Role } from '../../../server/api/trpc/router.ts';
import { ROLE_TEXTS } from '../../account/role-texts.ts';
import { formatMoment } from '../../ui/dates.ts';
import styles from '../parts/dashboard.module.css';
import { Select } from '../parts/list-controls.tsx';
import { usePermitted } from '../parts/permissions.tsx';
import { Problem } from '../parts/problem.tsx';
import { useTrpc } from '../parts/trpc-client.tsx';

const ROLE_NAMES = mapRecord(ROLE_TEXTS, ({ name }) => name);

type Member = CallOutputs['team']['list']['members'][number];

interface MemberProps {
  readonly member: Member;
  /** Whether it is who looks at the page. */
  readonly isVisitor: boolean;
}

/** One person of the account with the role, which an owner can change. */
export function MemberRow({ member, isVisitor }: MemberProps) {
  const { name, email, role, createdAt } = member;
  const canChange = usePermitted('members.change');
  return (
    <li>
      <div className={styles.line}>
        <p>
          <b>{name}</b> <span className="note">{email}</span>
          {isVisitor && <span className="note"> · you</span>}
        </p>
        {canChange ? (
          <MemberActions member={member} isVisitor={isVisitor} />
        ) : (
          <span className="note">{ROLE_TEXTS[role].name}</span>
        )}
      </div>
      <p className="note">since {formatMoment(createdAt)}</p>
    </li>
  );
}

/**
 * Changes the role of a member at once, and removes another member on the second press, which also says what becomes of
 * the keys that the member has made.
 */
function MemberActions({ member: { userId, name, role, keys }, isVisitor }: MemberProps) {
  const calls = useTrpc();
  const [isSure, setIsSure] = useState(false);
  const change = useMutation(
    calls.team.changeRole.mutationOptions({
      // The page of a member who is no longer an owner offers less.
      onSuccess: () => (isVisitor ? location.reload() : undefined),
    }),
  );
  const remove = useMutation(calls.team.remove.mutationOptions());
  return (
    <div className={styles.actions}>
      <RoleChoice
        label={`Role of ${name}`}
        value={role}
        disabled={change.isPending}
        onChoose={(chosen) => change.mutate({ userId, role: chosen })}
      />
      {!isVisitor && !isSure && (
        <button type="button" className="button" onClick={() => setIsSure(true)}>
          Remove member
        </button>
      )}
      {isSure &&
        listRemovals(name, keys).map(({ text, ...choice }) => (
          <button
            key={text}
            type="button"
            className="button"
            disabled={remove.isPending}
            onClick={() => remove.mutate({ userId, ...choice })}
          >
            {text}
          </button>
        ))}
      {isSure && (
        <button type="button" className="button button-quiet" onClick={() => setIsSure(false)}>
          Keep member
        </button>
      )}
      <Problem error={change.error ?? remove.error} />
    </div>
  );
}

/** Lists the ways to remove a member who has made so many keys that work. */
function listRemovals(name: string, keys: number): { text: string; keys?: 'revoke' | 'keep' }[] {
  if (keys === 0) return [{ text: `Remove ${name} now` }];
  const owned = keys === 1 ? 'the key' : `the ${keys} keys`;
  return [
    { text: `Remove ${name} and revoke ${owned} that ${name} has made`, keys: 'revoke' },
    { text: `Remove ${name}, and let ${owned} work on`, keys: 'keep' },
  ];
}

/** Choice of a role, by name. */
export function RoleChoice(select: Omit<ComponentProps<typeof Select<Role>>, 'choices'>) {
  return <Select {...select} choices={ROLE_NAMES} />;
}
