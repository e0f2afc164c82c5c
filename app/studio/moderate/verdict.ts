import { csvRow } from '../../../models/core/operation/csv.ts';
import { CATEGORIES, type Category, type Severity } from '../../../models/moderation/categories.ts';
import type { BatchItem } from '../runs/batch.ts';

/** Severity of each category that was analysed. */
export type Severities = ReadonlyMap<Category, Severity>;

/** Severities that may flag an image. */
export type Threshold = Exclude<Severity, 0>;

/** Categories in the order in which the page shows them. */
export const SHOWN_CATEGORIES: readonly Category[] = ['Sexual', 'Violence', 'Hate', 'SelfHarm'];

export const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  Sexual: 'Sexual',
  Violence: 'Violence',
  Hate: 'Hate',
  SelfHarm: 'Self-harm',
};

export const SEVERITY_NAMES: Readonly<Record<Severity, string>> = {
  0: 'Safe',
  2: 'Low',
  4: 'Medium',
  6: 'High',
};

export const SEVERITY_MEANINGS: Readonly<Record<Severity, string>> = {
  0: 'Nothing objectionable was seen.',
  2: 'May be inappropriate in some contexts.',
  4: 'Should usually be filtered.',
  6: 'Should be blocked.',
};

/** Reads the severities that a run found; undefined without a result. */
export function getSeverities({ state }: Pick<BatchItem, 'state'>): Severities | undefined {
  if (state.phase !== 'done' || !Array.isArray(state.result.details?.categories)) return undefined;
  const found = state.result.details.categories as unknown as { category: Category; severity: Severity }[];
  return new Map(found.map(({ category, severity }) => [category, severity]));
}

/** Reports whether a category reaches the threshold. */
export function isFlagged(severities: Severities, threshold: Threshold): boolean {
  return [...severities.values()].some((severity) => severity >= threshold);
}

/** Reports whether some category was not analysed, and none of the others is flagged. */
export function isPartial(severities: Severities, threshold: Threshold): boolean {
  return severities.size < CATEGORIES.length && !isFlagged(severities, threshold);
}

/** Says in a few words what the severities mean at a threshold. */
export function describeVerdict(severities: Severities, threshold: Threshold): string {
  return isFlagged(severities, threshold) ? 'Flagged' : 'Not flagged';
}

/** Says what was checked, where that is not all: `Sexual: safe`. */
export function describeChecked(severities: Severities): string {
  return [...severities]
    .map(([category, severity]) => `${CATEGORY_NAMES[category]}: ${SEVERITY_NAMES[severity].toLowerCase()}`)
    .join(', ');
}

/** Says which categories were not checked. */
export function describeUnchecked(severities: Severities): string {
  const missing = SHOWN_CATEGORIES.filter((category) => !severities.has(category));
  return `Not checked: ${missing.map((category) => CATEGORY_NAMES[category].toLowerCase()).join(', ')}.`;
}

/** Returns the categories that some of the images were checked for, or will be. @param next those of the next run */
export function listColumns(items: readonly BatchItem[], next: readonly Category[]): readonly Category[] {
  const checked = items.map(getSeverities);
  return SHOWN_CATEGORIES.filter(
    (category) => next.includes(category) || checked.some((severities) => severities?.has(category)),
  );
}

/** Sorts images for review: the flagged ones first, those with the highest severity before others. */
export function sortForReview(items: readonly BatchItem[], threshold: Threshold): readonly BatchItem[] {
  const rank = (item: BatchItem) => {
    const highest = Math.max(0, ...(getSeverities(item)?.values() ?? []));
    return highest >= threshold ? highest : 0;
  };
  return items.toSorted((one, other) => rank(other) - rank(one));
}

/** Writes a table of verdicts as CSV: name, verdict, and the severity of each category; empty where there is none. */
export function verdictsCsv(
  items: readonly BatchItem[],
  columns: readonly Category[],
  threshold: Threshold,
): string {
  const rows = items.map((item) => {
    const severities = getSeverities(item);
    const verdict = severities ? describeVerdict(severities, threshold) : 'Not checked';
    return [item.file.name, verdict, ...columns.map((each) => String(severities?.get(each) ?? ''))];
  });
  return [['file', 'verdict', ...columns], ...rows].map(csvRow).join('');
}

/** Writes the verdict as the API returns it, at a threshold. */
export function reportDetails(severities: Severities, threshold: Threshold): object {
  return {
    flagged: isFlagged(severities, threshold),
    categories: [...severities].map(([category, severity]) => ({ category, severity })),
    severity_threshold: threshold,
  };
}
