'use client';

import { useEffect, useInsertionEffect, useRef, useState, useSyncExternalStore } from 'react';

const TICK_MS = 1000;

/** Windows in which the settings are a sheet: the same condition as in the style sheets of the frame. */
const PHONE = '(width <= 700px) and (height >= 500px)';

const TYPED = 'input:not([type=radio], [type=checkbox], [type=range], [type=file]), textarea, select';

interface AbortScope {
  /**
   * Begins work.
   * @returns a signal that aborts through `end`
   */
  begin(): AbortSignal;
  end(): void;
}

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

/** Creates a scope whose work aborts also when the component unmounts. */
export function useAbortOnUnmount(): AbortScope {
  const [leaving] = useState(createAbortScope);
  useEffect(() => leaving.end, [leaving]);
  return leaving;
}

/** Creates a scope whose work only `end` aborts. */
export function createAbortScope(): AbortScope {
  let work: AbortController | undefined;
  return {
    begin() {
      work = new AbortController();
      return work.signal;
    },
    end: () => work?.abort(),
  };
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

/** Whether the window is a phone's. False on the server. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(PHONE).matches,
    () => false,
  );
}

/** Whether the visitor types into an element: its keys, and what is pasted, belong to it. */
export function isTypedIn(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TYPED));
}

/**
 * Loads a value; undefined until it is there, where it cannot be loaded, and without a key.
 * @param key all that the value depends on, the same for the same value
 * @param load receives a signal that aborts once the value is wanted no more
 */
export function useLoaded<Key, Value>(
  key: Key | undefined,
  load: (key: Key, signal: AbortSignal) => Promise<Value>,
): Value | undefined {
  const [loaded, setLoaded] = useState<{ readonly key: Key; readonly value: Value }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key holds all that the value depends on
  useEffect(() => {
    if (key === undefined) return;
    const ending = new AbortController();
    const { signal } = ending;
    load(key, signal).then(
      (value) => !signal.aborted && setLoaded({ key, value }),
      () => {},
    );
    return () => ending.abort();
  }, [key]);
  return loaded && loaded.key === key ? loaded.value : undefined;
}

/** Creates an object URL for a blob for as long as the component is mounted. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [made, setMade] = useState<{ blob: Blob; url: string }>();
  useEffect(() => {
    if (!blob) return;
    const url = URL.createObjectURL(blob);
    setMade({ blob, url });
    return () => {
      URL.revokeObjectURL(url);
      // The same blob may come back, as by undo: its former URL leads nowhere.
      setMade(undefined);
    };
  }, [blob]);
  return made?.blob === blob ? made?.url : undefined;
}

/** Counts the seconds since a component appeared. */
export function useSecondsSpent(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const ticking = setInterval(() => setSeconds((before) => before + 1), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  return seconds;
}
