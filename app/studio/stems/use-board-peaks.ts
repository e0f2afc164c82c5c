'use client';

import type { Progress } from '../../../models/core/runtime/progress.ts';
import type { Peaks } from '../../../models/kernels/audio/peaks.ts';
import { type PeaksView, progressOf, usePeaks } from '../sound/use-peaks.ts';
import type { Stem } from './stems.ts';

/** Peaks that set length and scale of the stage. */
export interface BoardPeaks {
  /** Undefined while they are being measured, or where there are none. */
  readonly peaks: Peaks | undefined;
  /** Whether they are those of the file itself. */
  readonly isOwn: boolean;
  /** Reason why the file has none. */
  readonly failure: string | undefined;
  /** Progress of measuring the file; undefined before the first report and after the last. */
  readonly progress: Progress | undefined;
}

/**
 * Measures the peaks of a file. Where this browser cannot decode it, the server may have split it: those of a stem,
 * which is as long, then stand in for the mix.
 */
export function useBoardPeaks(file: Blob, stems: readonly Stem[], isMix: boolean): BoardPeaks {
  const own = usePeaks(file);
  const failure = own && 'failure' in own ? own.failure : undefined;
  const isOwn = failure === undefined || !isMix;
  const stem = usePeaks(isOwn ? undefined : stems[0]?.blob);
  const shown = isOwn ? own : stem;
  return { peaks: peaksOf(shown), isOwn, failure, progress: progressOf(shown) };
}

function peaksOf(view: PeaksView): Peaks | undefined {
  return view && 'peaks' in view ? view.peaks : undefined;
}
