'use client';

import { useEffect, useState } from 'react';
import type { OperationId } from '../../models/registry.ts';
import { type Pace, readPace } from './pace.ts';

/** The pace so far, read when the page opens; undefined while it is made on the server. */
export function usePace(operationId: OperationId): Pace | undefined {
  const [pace, setPace] = useState<Pace>();
  useEffect(() => setPace(readPace(operationId)), [operationId]);
  return pace;
}
