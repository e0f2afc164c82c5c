'use client';

import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useRunOutline, useShownFile } from '../runs/runs-context.ts';
import styles from './settings-panel.module.css';
import { adjacentStop, nearestStop, type SheetStop, stopHeightPx } from './sheet-stops.ts';

/** Movement in pixels up to which a press of the handle is a click. */
const CLICK_PX = 4;

interface SettingsPanelProps {
  /** Whether the stage needs the height of a phone. */
  readonly isTall: boolean;
  /** Settings in a few words, for the sheet while it shows none. */
  readonly summary: ReactNode;
  readonly form: ReactNode;
  /** Slot at the end of the settings, for what a phone shows there. */
  readonly foot: Ref<HTMLDivElement>;
  /** Primary action, pinned below the settings; null while there is nothing to act on. */
  readonly action: ReactNode;
}

const HEIGHTS: Readonly<Record<SheetStop, string>> = { low: 'lowest', half: 'half', full: 'full' };

/** Column next to the stage with its own scroll; on a phone, a sheet at the lower edge with three heights. */
export function SettingsPanel({ isTall, summary, form, foot, action }: SettingsPanelProps) {
  const { stop, heightPx, handle, fold } = useSheet(action ? 'half' : 'low');
  useEffect(() => {
    if (isTall) fold();
  }, [isTall, fold]);
  const height = heightPx === null ? undefined : ({ '--sheet': `${heightPx}px` } as CSSProperties);
  return (
    <aside
      className={styles.panel}
      aria-label="Settings"
      data-stop={heightPx === null ? stop : 'dragged'}
      style={height}
    >
      <button
        type="button"
        className={styles.handle}
        aria-label={`Settings: ${HEIGHTS[stop]} height`}
        {...handle}
      />
      {action && (
        <span className={styles.title} aria-hidden>
          {summary}
        </span>
      )}
      <div className={styles.settings}>
        {form}
        <div ref={foot} className={styles.foot} />
      </div>
      <FoldAfterRun onResult={fold} />
      <div className={styles.action}>{action ?? <p className={styles.summary}>{summary}</p>}</div>
    </aside>
  );
}

/** Calls back once the shown file has its result, which the sheet of a phone then leaves in view. Renders nothing. */
function FoldAfterRun({ onResult }: { readonly onResult: () => void }) {
  const { isRunning } = useRunOutline();
  const hasResult = useShownFile()?.item.state.phase === 'done' && !isRunning;
  useEffect(() => {
    if (hasResult) onResult();
  }, [hasResult, onResult]);
  return null;
}

/**
 * Moves the sheet of a phone between its stops: by dragging its handle, by a click and by the arrow keys.
 * @param initial stop until the visitor moves the sheet
 */
function useSheet(initial: SheetStop) {
  const [chosen, setChosen] = useState<SheetStop>();
  const [heightPx, setHeightPx] = useState<number | null>(null);
  const grip = useRef<{ readonly fromY: number; readonly fromHeightPx: number } | null>(null);
  // The click that ends a drag is none.
  const isDragged = useRef(false);
  const stop = chosen ?? initial;
  const end = () => {
    if (heightPx !== null) setChosen(nearestStop(heightPx, innerHeight));
    setHeightPx(null);
    grip.current = null;
  };
  const [fold] = useState(() => () => setChosen('low'));
  return {
    stop,
    /** Moves the sheet to its lowest stop. */
    fold,
    /** Height in pixels while the handle is dragged. */
    heightPx,
    handle: {
      onPointerDown({ currentTarget, pointerId, clientY }: PointerEvent<HTMLElement>) {
        currentTarget.setPointerCapture(pointerId);
        isDragged.current = false;
        // Measured: a stage that needs more room lowers the middle stop.
        const fromHeightPx = currentTarget.parentElement?.offsetHeight ?? stopHeightPx(stop, innerHeight);
        grip.current = { fromY: clientY, fromHeightPx };
      },
      onPointerMove({ clientY }: PointerEvent<HTMLElement>) {
        if (!grip.current) return;
        const { fromY, fromHeightPx } = grip.current;
        isDragged.current ||= Math.abs(fromY - clientY) > CLICK_PX;
        if (isDragged.current) setHeightPx(withinStops(fromHeightPx + fromY - clientY));
      },
      onPointerUp: end,
      onPointerCancel: end,
      onClick() {
        if (!isDragged.current) setChosen(stop === 'full' ? 'half' : adjacentStop(stop, 1));
        isDragged.current = false;
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!steps) return;
        event.preventDefault();
        setChosen(adjacentStop(stop, steps));
      },
    },
  };
}

function withinStops(heightPx: number): number {
  const [lowest, highest] = [stopHeightPx('low', innerHeight), stopHeightPx('full', innerHeight)];
  return Math.min(Math.max(heightPx, lowest), highest);
}
