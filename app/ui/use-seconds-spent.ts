'use client';

import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/** Counts the seconds since a component appeared. */
export function useSecondsSpent(): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const ticking = setInterval(() => setSeconds((before) => before + 1), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  return seconds;
}
