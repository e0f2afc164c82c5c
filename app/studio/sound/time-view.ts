import { formatClock } from '../../ui/quantities.ts';

/** Part of a recording that is in view. */
export interface TimeView {
  readonly fromSeconds: number;
  readonly seconds: number;
}

/** Longest part that is in view at first: a word is then still a few pixels wide. */
const FIRST_SECONDS = 120;
const SECONDS_MIN = 2;

/** Returns the view of a recording as it opens. */
export function initialView(durationSeconds: number): TimeView {
  return { fromSeconds: 0, seconds: Math.min(durationSeconds, FIRST_SECONDS) };
}

/** Moves a view so that it begins at a time, within the recording. */
export function moveView(view: TimeView, fromSeconds: number, durationSeconds: number): TimeView {
  const last = Math.max(0, durationSeconds - view.seconds);
  return { ...view, fromSeconds: Math.min(Math.max(0, fromSeconds), last) };
}

/** Moves a view so that a time is in its middle, within the recording. */
export function centreView(view: TimeView, atSeconds: number, durationSeconds: number): TimeView {
  return moveView(view, atSeconds - view.seconds / 2, durationSeconds);
}

/** Shows less time (`factor` below 1) or more, around a time. */
export function zoomView(view: TimeView, factor: number, around: number, durationSeconds: number): TimeView {
  const seconds = Math.min(Math.max(view.seconds * factor, SECONDS_MIN), durationSeconds);
  const share = view.seconds > 0 ? Math.min(Math.max((around - view.fromSeconds) / view.seconds, 0), 1) : 0;
  return moveView({ ...view, seconds }, around - share * seconds, durationSeconds);
}

/** Moves a view only where it does not show a time: the time is then near its left edge. */
export function followTime(view: TimeView, atSeconds: number, durationSeconds: number): TimeView {
  const end = view.fromSeconds + view.seconds;
  const isInView = atSeconds >= view.fromSeconds && atSeconds <= end;
  return isInView ? view : moveView(view, atSeconds - view.seconds / 20, durationSeconds);
}

/** Steps between marks of a ruler. */
const STEPS = [0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600];
const MARKS_MAX = 8;

/** Words the time of a mark: `1:05`, and `1:05.5` for half a second. */
export function formatMark(seconds: number): string {
  return Number.isInteger(seconds) ? formatClock(seconds) : `${formatClock(Math.floor(seconds))}.5`;
}

/** Returns the times that a ruler marks. */
export function rulerMarks({ fromSeconds, seconds }: TimeView): readonly number[] {
  const step = STEPS.find((each) => seconds / each <= MARKS_MAX) ?? 7200;
  const first = Math.ceil(fromSeconds / step);
  const last = Math.floor((fromSeconds + seconds) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
}
