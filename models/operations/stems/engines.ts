import type { OperationEngine } from '../../core/runtime/fit.ts';
import { AUDIO_SEPARATE_STEMS_WEIGHTS as CARDS } from './weights.ts';

/** Engine that has no weights: median filters of the spectrum. */
export const MEDIAN_FILTER = 'median-filter';

/** Engine of Spleeter's four networks. */
export const SPLEETER_ENGINE = 'spleeter-4stems-fp16';

/** Engines that a request may name, best first. */
export const STEM_ENGINES: readonly OperationEngine[] = [
  { id: CARDS['htdemucs-fp16'].id, name: 'HTDemucs', card: CARDS['htdemucs-fp16'] },
  { id: CARDS.htdemucs.id, name: 'HTDemucs, full precision', card: CARDS.htdemucs },
  {
    id: SPLEETER_ENGINE,
    name: 'Spleeter',
    card: CARDS['spleeter-4stems-fp16/vocals'],
    companions: [
      CARDS['spleeter-4stems-fp16/drums'],
      CARDS['spleeter-4stems-fp16/bass'],
      CARDS['spleeter-4stems-fp16/other'],
    ],
    areOpenAtOnce: true,
  },
  { id: CARDS.stems.id, name: 'Darkroom', card: CARDS.stems },
  { id: MEDIAN_FILTER, name: 'Median filters', card: null },
];
