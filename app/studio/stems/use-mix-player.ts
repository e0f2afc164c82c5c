'use client';

import { useEffect, useMemo } from 'react';
import { STEM_RATE } from '../../../models/operations/stems/stems.ts';
import type { MixPlayer } from '../sound/mix-player.ts';
import { gainsOf, type Mix } from './mix.ts';
import type { Stem } from './stems.ts';

/** Opens stems in a player, and keeps it as the mix is set. @returns the factor of each stem */
export function useMixPlayer(
  player: MixPlayer,
  stems: readonly Stem[],
  mix: Mix,
  durationSeconds: number,
): readonly number[] {
  const names = useMemo(() => stems.map(({ id }) => id), [stems]);
  const gains = useMemo(() => gainsOf(mix, names), [mix, names]);
  useEffect(() => {
    const files = stems.map(({ blob }) => blob);
    return player.open(files, durationSeconds, STEM_RATE);
  }, [player, stems, durationSeconds]);
  useEffect(() => player.setGains(gains), [player, gains]);
  const loop = mix.isLooping ? mix.part : undefined;
  useEffect(() => player.setLoop(loop), [player, loop]);
  return gains;
}
