'use client';

import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import type { RegionRequest } from '../../../workers/edits/enlarge-regions.ts';
import { regionAround } from '../stage/region-geometry.ts';
import { type StageView, useStage } from '../stage/stage-context.ts';
import { ARROWS, type Point } from '../stage/stage-geometry.ts';
import styles from './loupe.module.css';
import type { LoupeResult } from './use-loupe.ts';

/** Longest side of the loupe in CSS pixels, and its share of the well's shorter side. */
const SIDE_MAX = 288;
const WELL_SHARE = 0.6;

interface LoupeProps {
  /** URL of the image before it is enlarged. */
  readonly url: string;
  /** Size of the image before it is enlarged. */
  readonly image: ImageSize;
  readonly scale: number;
  /** Middle of the loupe, in shares of the image's sides. */
  readonly at: Point;
  readonly result: LoupeResult;
  readonly onMove: (at: Point) => void;
  /** Called with the region under the loupe, in pixels of the image, whenever it changes. */
  readonly onRegion: (region: PixelRegion) => void;
}

/**
 * Loupe over the image: on its left the enlargement of the browser, on its right the model's, one pixel of the result
 * on one of the screen. A pointer or the arrow keys move it.
 */
export function Loupe(props: LoupeProps) {
  const stage = useStage();
  return stage && <MeasuredLoupe stage={stage} {...props} />;
}

function MeasuredLoupe({ stage, ...props }: LoupeProps & { readonly stage: StageView }) {
  const { url, scale, at, result, onRegion } = props;
  const lens = getLens(stage, props);
  const { side, zoom, region, middle } = lens;
  const { handlers, isMoving } = useMoving(stage, props, lens);
  const { left, top, width, height } = region;
  useEffect(() => onRegion({ left, top, width, height }), [onRegion, left, top, width, height]);
  const placed = (x: number, y: number, width: number, height: number): CSSProperties => ({
    width,
    height,
    transform: `translate(${side / 2 + (x - middle.x) * zoom}px, ${side / 2 + (y - middle.y) * zoom}px)`,
  });
  const { image } = stage;
  const { shown } = result;
  const enlarged = shown?.order.region;
  return (
    <div className={styles.layer} data-pans={stage.canPan} data-moving={isMoving} {...handlers.layer}>
      <div
        className={styles.lens}
        data-lens
        style={{ width: side, height: side, transform: `translate(${lens.left}px, ${lens.top}px)` }}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved by keys
        tabIndex={0}
        aria-label={`Loupe at ${Math.round(at.x * 100)} % across and ${Math.round(at.y * 100)} % down`}
        aria-roledescription="loupe"
        aria-describedby="loupe-keys"
        onKeyDown={handlers.onKeyDown}
      >
        <img
          src={url}
          alt=""
          draggable={false}
          style={placed(0, 0, image.width * zoom, image.height * zoom)}
        />
        {shown && enlarged && (
          <div className={styles.after}>
            <BitmapView
              bitmap={shown.bitmap}
              style={placed(
                enlarged.left * scale,
                enlarged.top * scale,
                enlarged.width * scale * zoom,
                enlarged.height * scale * zoom,
              )}
            />
          </div>
        )}
        <span className={styles.tag}>original</span>
        <span className={styles.tag} data-working={result.isWorking}>
          {result.isWorking && !isCovered(region, shown?.order) ? 'computing…' : `${scale}×`}
        </span>
      </div>
      <p id="loupe-keys" className="sr-only">
        Arrow keys move the loupe, with Shift by one pixel.
      </p>
    </div>
  );
}

interface Lens {
  /** In CSS pixels. */
  readonly side: number;
  /** CSS pixels for each pixel of the result: 1 : 1 on the screen, or as large as the image around it. */
  readonly zoom: number;
  /** Middle, in pixels of the result. */
  readonly middle: Point;
  /** Part of the image under the loupe, in its pixels. */
  readonly region: PixelRegion;
  /** Place in the well, in CSS pixels. */
  readonly left: number;
  readonly top: number;
}

function getLens({ well, box, image, scale: shownScale }: StageView, props: LoupeProps): Lens {
  const { at, image: source, scale } = props;
  const side = Math.round(Math.min(SIDE_MAX, WELL_SHARE * Math.min(well.width, well.height)));
  const zoom = Math.max(1 / devicePixelRatio, shownScale);
  const sideInSource = side / zoom / scale;
  const region = regionAround(
    { x: at.x * source.width, y: at.y * source.height },
    { width: sideInSource + 1, height: sideInSource + 1 },
    source,
  );
  const within = (share: number, length: number) => {
    const half = Math.min(length, side / zoom) / 2;
    return Math.min(Math.max(share * length, half), length - half);
  };
  const middle = { x: within(at.x, image.width), y: within(at.y, image.height) };
  const placed = (start: number, share: number, length: number, room: number) =>
    Math.round(Math.min(Math.max(start + share * length - side / 2, 0), Math.max(0, room - side)));
  return {
    side,
    zoom,
    middle,
    region,
    left: placed(box.left, at.x, box.width, well.width),
    top: placed(box.top, at.y, box.height, well.height),
  };
}

function useMoving(stage: StageView, { at, image, onMove }: LoupeProps, lens: Lens) {
  const [isMoving, setIsMoving] = useState(false);
  /** From the pointer to the middle of the loupe, in CSS pixels. */
  const grip = useRef<Point>({ x: 0, y: 0 });
  const moveTo = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const { box } = stage;
    onMove({
      x: share((clientX - left + grip.current.x - box.left) / box.width),
      y: share((clientY - top + grip.current.y - box.top) / box.height),
    });
  };
  const stop = () => setIsMoving(false);
  const layer = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A second finger zooms.
      if (!event.isPrimary) return stop();
      const isOnLens = event.target instanceof Element && event.target.closest('[data-lens]') !== null;
      if (event.button !== 0 || (stage.canPan && !isOnLens)) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      const { left, top } = event.currentTarget.getBoundingClientRect();
      const middle = {
        x: stage.box.left + at.x * stage.box.width - (event.clientX - left),
        y: stage.box.top + at.y * stage.box.height - (event.clientY - top),
      };
      grip.current = isOnLens ? middle : { x: 0, y: 0 };
      setIsMoving(true);
      if (!isOnLens) moveTo(event);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (isMoving) moveTo(event);
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const arrow = ARROWS[event.key];
    if (!arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const step = event.shiftKey ? 1 : Math.max(1, lens.region.width / 4);
    const next = {
      x: share(at.x + (arrow.x * step) / image.width),
      y: share(at.y + (arrow.y * step) / image.height),
    };
    onMove(next);
    stage.reveal(next);
  };
  return { isMoving, handlers: { layer, onKeyDown } };
}

interface BitmapViewProps {
  readonly bitmap: ImageBitmap;
  readonly style: CSSProperties;
}

function BitmapView({ bitmap, style }: BitmapViewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const target = canvas.current;
    if (!target || bitmap.width === 0) return;
    target.width = bitmap.width;
    target.height = bitmap.height;
    target.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  return <canvas ref={canvas} style={style} />;
}

/** Whether a computed region holds all of another. */
function isCovered({ left, top, width, height }: PixelRegion, order: RegionRequest | undefined): boolean {
  if (!order) return false;
  const { region } = order;
  return (
    left >= region.left &&
    top >= region.top &&
    left + width <= region.left + region.width &&
    top + height <= region.top + region.height
  );
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
