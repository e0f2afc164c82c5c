import { Cell } from '../../models/core/cell.ts';
import type { Loading } from '../../models/core/runtime/progress.ts';

/** Download of FFmpeg that files wait for to be measured; undefined while there is none. */
export const readerLoading = new Cell<Loading | undefined>(undefined);
