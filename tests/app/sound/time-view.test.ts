import { expect, it } from 'vitest';
import {
  centreView,
  followTime,
  formatMark,
  initialView,
  moveView,
  rulerMarks,
  zoomView,
} from '../../../app/studio/sound/time-view.ts';

const HOURS = 4 * 3600;

it('opens with two minutes of a long recording, and all of a short one', () => {
  expect([initialView(HOURS).seconds, initialView(30).seconds]).toEqual([120, 30]);
});

it('stays within the recording', () => {
  const view = initialView(HOURS);
  expect(moveView(view, -5, HOURS).fromSeconds).toBe(0);
  expect(moveView(view, HOURS, HOURS).fromSeconds).toBe(HOURS - 120);
  expect(zoomView(view, 1e9, 0, HOURS)).toEqual({ fromSeconds: 0, seconds: HOURS });
  expect([10, 3600].map((at) => centreView(view, at, HOURS).fromSeconds)).toEqual([0, 3540]);
});

it('keeps the time in its place that it is zoomed around', () => {
  expect(zoomView({ fromSeconds: 100, seconds: 100 }, 0.5, 150, HOURS)).toEqual({
    fromSeconds: 125,
    seconds: 50,
  });
});

it('follows only what leaves it', () => {
  const view = { fromSeconds: 100, seconds: 100 };
  expect(followTime(view, 180, HOURS)).toBe(view);
  expect(followTime(view, 201, HOURS).fromSeconds).toBe(196);
});

it('marks few round times', () => {
  expect(rulerMarks({ fromSeconds: 95, seconds: 120 })).toEqual([100, 120, 140, 160, 180, 200]);
});

it('names each mark of a ruler differently', () => {
  const marks = rulerMarks({ fromSeconds: 59, seconds: 3 }).map(formatMark);
  expect(marks).toEqual(['0:59', '0:59.5', '1:00', '1:00.5', '1:01', '1:01.5', '1:02']);
});
