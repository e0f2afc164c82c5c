'use client';

import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Cell } from '../../../models/core/cell.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { ItemState } from '../runs/batch.ts';
import { StageProvider, type StageView } from './stage-context.ts';
import { StageControls } from './stage-controls.tsx';
import {
  actualScale,
  canPan,
  clampView,
  closeScale,
  fitView,
  getBox,
  isCrisp,
  isFit,
  panBy,
  pinch,
  revealPoint,
  stepScale,
  type View,
  type ViewConditions,
  zoomPercent,
  zoomTo,
} from './stage-geometry.ts';
import styles from './stage-well.module.css';
import { useStageGestures } from './use-stage-gestures.ts';

const isSwitched = new Cell(false);

const switchBoard = (): void => isSwitched.set((before) => !before);

interface StageWellProps {
  /** Size in image pixels that 100 % refers to; undefined until known. Until then the content fills the well. */
  readonly image: ImageSize | undefined;
  readonly phase: ItemState['phase'];
  /** Whether the image shows the checkerboard, whose shade can then be chosen. */
  readonly isTransparent: boolean;
  readonly label?: string;
  /** Whether the content has handles at its edges, which the buttons over a narrow well must leave free. */
  readonly hasHandles?: boolean;
  /** Content in the well's coordinates. A `StagePlane` in it has the image's. */
  readonly children: ReactNode;
}

/** Well in which an image or a video can be zoomed and panned, by wheel, pointer, fingers and keys. */
export function StageWell({
  image,
  phase,
  isTransparent,
  label = 'Image view',
  hasHandles = false,
  children,
}: StageWellProps) {
  const well = useRef<HTMLDivElement>(null);
  const stage = useStageView(well, image);
  const { isPanning, isSpaceDown, handlers } = useStageGestures(well, stage);
  const [isSwitched, switchBoard] = useCheckerboardShade();
  const hand = isPanning ? 'closed' : isSpaceDown || stage?.canPan ? 'open' : undefined;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div
        ref={well}
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is zoomed and panned by keys
        tabIndex={0}
        aria-label={label}
        aria-describedby="stage-keys"
        className={styles.well}
        data-phase={phase}
        data-measured={stage !== null}
        data-crisp={stage?.isCrisp}
        data-hand={hand}
        data-takes-space={isSpaceDown}
        data-switched={isSwitched}
        style={stage ? getPlace(stage) : undefined}
        {...handlers}
      >
        <StageProvider value={stage}>{children}</StageProvider>
        <p id="stage-keys" className="sr-only">
          Plus and minus zoom, 0 shows the whole image, 1 shows 100 %, arrow keys move a zoomed image.
        </p>
      </div>
      {stage && (
        <StageControls
          stage={stage}
          isSwitched={isSwitched}
          onSwitch={isTransparent ? switchBoard : undefined}
          isShort={hasHandles}
        />
      )}
    </>
  );
}

/** Set by script only: the page's policy allows no style attribute in server-rendered HTML. */
function getPlace({ image, box, scale }: StageView): CSSProperties {
  // Whole device pixels, so that at 100 % each image pixel covers exactly one.
  const whole = (value: number) => Math.round(value * devicePixelRatio) / devicePixelRatio;
  return {
    '--image-width': `${image.width}px`,
    '--image-height': `${image.height}px`,
    '--x': `${whole(box.left)}px`,
    '--y': `${whole(box.top)}px`,
    '--scale': scale,
  } as CSSProperties;
}

/**
 * Returns whether the checkerboard behind transparent images has the shade of the other theme: dark hair shows its
 * edges on one, white fur on the other. The choice holds in every tool until the page is closed.
 */
function useCheckerboardShade(): [isSwitched: boolean, switchBoard: () => void] {
  return [useSyncExternalStore(isSwitched.subscribe, isSwitched.get, () => false), switchBoard];
}

/**
 * Keeps the view of an image in a well. A view that shows the whole image keeps doing so when the well changes its
 * size; any other keeps its scale and its middle.
 * @param image its size in image pixels, once known
 */
function useStageView(
  wellRef: RefObject<HTMLElement | null>,
  image: ImageSize | undefined,
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
    box: getBox(view, setting),
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
