'use client';

import { createContext, type ReactNode, useContext } from 'react';
import type { Permission } from '../../../server/api/trpc/router.ts';

const Permissions = createContext<readonly Permission[]>([]);

interface PermissionsProviderProps {
  /** Permissions of the visitor's role, so that nothing is offered that the server would refuse. */
  readonly permissions: readonly Permission[];
  readonly children: ReactNode;
}

/** Tells everything below it what the visitor may do. */
export function PermissionsProvider({ permissions, children }: PermissionsProviderProps) {
  return <Permissions value={permissions}>{children}</Permissions>;
}

/** Returns what the visitor's role may do. */
export function usePermissions(): readonly Permission[] {
  return useContext(Permissions);
}

/** Returns whether the visitor's role may do something. */
export function usePermitted(permission: Permission): boolean {
  return usePermissions().includes(permission);
}
