'use client';

import { useInsertionEffect, useRef, useState } from 'react';

/** Returns a function that reads the value of the latest rendering, always the same one: for events and effects. */
export function useLatest<Value>(value: Value): () => Value {
  const latest = useRef(value);
  const [read] = useState(() => () => latest.current);
  // Before any other effect of the same rendering may read it.
  useInsertionEffect(() => {
    latest.current = value;
  });
  return read;
}
