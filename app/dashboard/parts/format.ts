import { TOOLS } from '../../studio/tools/tools.ts';
import { formatBytes, formatClock, formatName } from '../../ui/quantities.ts';

/** Years of days that are looked for: others are being typed. */
const [YEAR_MIN, YEAR_MAX] = [1971, 9998];

/** Returns the name of a model for people: its tool's, with "batch" for a batch. */
export function modelName(modelId: string): string {
  const operationId = modelId.replace(/-batch$/, '');
  const tool = Object.values(TOOLS).find((each) => each.operationId === operationId);
  if (!tool) return modelId;
  return operationId === modelId ? tool.name : `${tool.name}, batch`;
}

/** Lists the known facts about a job's input: `JPG · 3000 × 2000 · 4.1 MB`. */
export function describeFacts(facts: Readonly<Record<string, unknown>>): string {
  const { width, height, durationSeconds, bytes: size, mediaType } = facts;
  const words = [
    typeof mediaType === 'string' ? formatName(mediaType) : undefined,
    typeof width === 'number' && typeof height === 'number' ? `${width} × ${height}` : undefined,
    typeof durationSeconds === 'number' ? formatClock(durationSeconds) : undefined,
    typeof size === 'number' ? formatBytes(size) : undefined,
  ];
  return words.filter((word) => word !== undefined).join(' · ');
}

/** Formats a time span by its largest unit: `12 s`, `5 min`, `3 h`, `2 days`. */
export function formatTimeSpan(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} days`;
}

interface InputFault {
  readonly message?: string;
  readonly path?: readonly (string | number)[];
}

/**
 * Returns the sentence of a failed call.
 * @param labels of the form, by the field of the call: the sentence begins with the one that it is about
 */
export function describeProblem(
  error: { readonly message: string } | null,
  labels: Readonly<Record<string, string>> = {},
): string {
  if (!error) return '';
  const [, field, rest] = /^([\w.]+): (.*)$/s.exec(error.message) ?? [];
  if (field !== undefined && labels[field] !== undefined) return `${labels[field]}: ${rest}`;
  // A rejected input comes as a JSON list of faults.
  if (!error.message.startsWith('[')) return error.message;
  try {
    const [first] = JSON.parse(error.message) as InputFault[];
    const label = labels[String(first?.path?.[0])];
    const problem = first?.message ?? 'is not valid. Change it and try again.';
    return label === undefined ? problem : `${label}: ${problem}`;
  } catch {
    return error.message;
  }
}

/** Kinds of ledger entries, in words. */
export const ENTRY_KINDS = {
  top_up: 'Top-up',
  capture: 'Charge',
  adjustment: 'Adjustment',
  free_credit: 'Free credit',
} as const;

/** Returns the times between which a day lies, in the time zone of the visitor; none without a day. */
export function timesOfDay(day: string): { readonly from?: string; readonly to?: string } {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date || year < YEAR_MIN || year > YEAR_MAX) return {};
  const [from, to] = [new Date(year, month - 1, date), new Date(year, month - 1, date + 1)];
  return { from: from.toISOString(), to: to.toISOString() };
}
