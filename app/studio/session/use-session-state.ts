'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Cell } from '../../../models/core/cell.ts';
import { openSession, sessionCell } from './session.ts';

/**
 * State that outlives the page: other pages of the studio, a reload and a crash of the tab. Otherwise like `useState`.
 * @param name unique in the studio, with the tool first: `remove-bg/strokes`
 * @param initial plain data, files or blobs
 */
export function useSessionState<Value>(name: string, initial: Value): [Value, Cell<Value>['set']] {
  const [cell] = useState(() => sessionCell(name, initial));
  const [atFirst] = useState(initial);
  useEffect(() => void openSession(), []);
  return [useSyncExternalStore(cell.subscribe, cell.get, () => atFirst), cell.set];
}
