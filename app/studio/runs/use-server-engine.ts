'use client';

import { useMemo } from 'react';
import type { OperationId } from '../../../models/registry.ts';
import { useLoaded } from '../../ui/hooks.ts';
import type { ParamValues } from '../tools/fields.ts';
import type { BatchItem } from './batch.ts';
import type { Fits } from './use-fits.ts';

/** Engine that the server would use, next to the one that this device has. */
export interface ServerEngine {
  readonly name: string;
  /** Whether this device has it ready, too: then the result would be the same, and free. */
  readonly isOnDevice: boolean;
}

/**
 * Asks the server which engine it would use, before anything is sent; undefined until it is known, for an operation
 * without a choice of engines, and where one is chosen by name.
 * @param isWanted whether the server is offered
 */
export function useServerEngine(
  operationId: OperationId,
  {
    items,
    values,
    fits,
    isWanted,
  }: {
    readonly items: readonly BatchItem[];
    readonly values: ParamValues;
    readonly fits: Fits;
    readonly isWanted: boolean;
  },
): ServerEngine | undefined {
  const isAsked = isWanted && values.engine === 'auto' && items.length > 0;
  // Nothing depends on the response: without one no engine is named.
  const engine = useLoaded(isAsked ? operationId : undefined, readServerEngine);
  const isOnDevice =
    engine !== undefined && items.every(({ id }) => fits.get(id)?.engines.get(engine.id)?.verdict === 'here');
  return useMemo(() => engine && { name: engine.name, isOnDevice }, [engine, isOnDevice]);
}

async function readServerEngine(
  operationId: OperationId,
  signal: AbortSignal,
): Promise<{ id: string; name: string } | undefined> {
  const response = await fetch(`/api/engines/${operationId}`, { signal });
  if (!response.ok) return undefined;
  const { engine } = (await response.json()) as { engine: string };
  const { OPERATIONS } = await import('../../../models/registry.ts');
  const name = OPERATIONS[operationId].engines?.find(({ id }) => id === engine)?.name;
  return name === undefined ? undefined : { id: engine, name };
}

/** Says what the server's engine means for the visitor. */
export function describeServerEngine(engine: ServerEngine | undefined): string {
  if (!engine) return '';
  return engine.isOnDevice ? 'Our server would give the same result.' : `Our server uses ${engine.name}.`;
}
