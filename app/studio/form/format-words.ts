import { getFormat } from '../../../models/media/image/find-format.ts';

/** Name and explanation of a format. */
export interface FormatWords {
  readonly name: string;
  readonly means: string;
}

/** Returns the words of image formats by their ids. */
export function imageFormatWords<Format extends string>(
  ids: readonly Format[],
): Readonly<Record<Format, FormatWords>> {
  const words = ids.map((id) => {
    const { name, advice } = getFormat(id);
    return [id, { name, means: advice }];
  });
  return Object.fromEntries(words);
}
