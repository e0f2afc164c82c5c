'use client';

import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import type { StageView } from './stage-context.ts';
import {
  actualScale,
  boxOf,
  canPan,
  clampView,
  closeScale,
  fitView,
  isCrisp,
  isFit,
  panBy,
  pinch,
  revealPoint,
  type Size,
  stepScale,
  type View,
  type ViewConditions,
  zoomPercent,
  zoomTo,
} from './stage-geometry.ts';

/**
 * Keeps the view of an image in a well. A view that shows the whole image keeps doing so when the well changes its
 * size; any other keeps its scale and its middle.
 * @param image its size in image pixels, once known
 */
export function useStageView(
  wellRef: RefObject<HTMLElement | null>,
  image: Size | undefined,
): StageView | null {
  const well = useWell(wellRef);
  const { width, height } = image ?? {};
  const setting = useMemo(
    () => (well && width && height ? { ...well, image: { width, height } } : null),
    [well, width, height],
  );
  const [chosen, setChosen] = useState<View | null>(null);
  const change = useCallback(
    (next: (view: View) => View) => {
      if (!setting) return;
      setChosen((before) => {
        const view = next(viewIn(before, setting));
        return isFit(view, setting) ? null : view;
      });
    },
    [setting],
  );
  return useMemo(
    () => setting && stageView(setting, viewIn(chosen, setting), change),
    [setting, chosen, change],
  );
}

function viewIn(chosen: View | null, setting: ViewConditions): View {
  return chosen ? clampView(chosen, setting) : fitView(setting);
}

function stageView(
  setting: ViewConditions,
  view: View,
  change: (next: (view: View) => View) => void,
): StageView {
  const { image, well } = setting;
  const middle = { x: well.width / 2, y: well.height / 2 };
  return {
    image,
    well,
    scale: view.scale,
    box: boxOf(view, setting),
    percent: zoomPercent(view, setting),
    isFit: isFit(view, setting),
    canPan: canPan(view, setting),
    isCrisp: isCrisp(view, setting),
    fit: () => change(() => fitView(setting)),
    showActual: (at = middle) => change((before) => zoomTo(before, actualScale(setting), at, setting)),
    step: (direction) =>
      change((before) => zoomTo(before, stepScale(before, direction, setting), middle, setting)),
    zoomBy: (factor, at) => change((before) => zoomTo(before, before.scale * factor, at, setting)),
    panBy: (by) => change((before) => panBy(before, by, setting)),
    pinch: (from, to) => change((before) => pinch(before, from, to, setting)),
    focusOn: ({ x, y }) =>
      change((before) => {
        const centre = { x: x * image.width, y: y * image.height };
        return clampView({ scale: closeScale(before, setting), centre }, setting);
      }),
    reveal: ({ x, y }) =>
      change((before) => revealPoint(before, { x: x * image.width, y: y * image.height }, setting)),
  };
}

/** Follows the well's size and the screen's pixel ratio; undefined until measured. */
function useWell(ref: RefObject<HTMLElement | null>): Omit<ViewConditions, 'image'> | undefined {
  const [measured, setMeasured] = useState<Omit<ViewConditions, 'image'>>();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      // A hidden well has no size, and shows nothing.
      if (width > 0 && height > 0) setMeasured({ well: { width, height }, pixelRatio: devicePixelRatio });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('resize', measure);
    };
  }, [ref]);
  return measured;
}
