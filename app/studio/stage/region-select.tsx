'use client';

import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import { useObjectUrl } from '../../ui/hooks.ts';
import { SplitView } from './compare-slider.tsx';
import { moveRegion, regionBetween, resizeRegion, shapedRegion } from './region-geometry.ts';
import styles from './region-select.module.css';
import { type StageView, useStage } from './stage-context.ts';
import { ARROWS, type Point } from './stage-geometry.ts';

/** Share of the image's sides by which an arrow key moves or resizes. */
const KEY_STEP = 0.02;

/** Corners by the opposite one, which stays when they are dragged; in shares of the region's sides. */
const CORNERS: readonly Point[] = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: 1, y: 1 },
];

interface RegionSelectProps {
  /** Name of the region; `Region` by default. */
  readonly name?: string;
  /** Size of the image, as its file has it. */
  readonly image: ImageSize;
  /** In pixels of that image. */
  readonly region: PixelRegion;
  /** Width to height, where the region keeps it. */
  readonly shape?: number | undefined;
  /** Result of the region, once there is one: it is shown in its place. */
  readonly result?: Blob | undefined;
  readonly disabled: boolean;
  readonly onRegion: (region: PixelRegion) => void;
}

/** Rectangle over the image. A pointer draws, moves and resizes it, and so do the arrow keys. */
export function RegionSelect(props: RegionSelectProps) {
  const stage = useStage();
  return stage && <MeasuredRegion stage={stage} {...props} />;
}

function MeasuredRegion({ stage, ...props }: RegionSelectProps & { readonly stage: StageView }) {
  const { name = 'Region', image, region, shape, result, disabled, onRegion } = props;
  const drag = useDragging(stage, props);
  const { box } = stage;
  const zoom = box.width / image.width;
  const place: CSSProperties = {
    width: region.width * zoom,
    height: region.height * zoom,
    transform: `translate(${box.left + region.left * zoom}px, ${box.top + region.top * zoom}px)`,
  };
  const size = `${region.width} × ${region.height}`;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const arrow = ARROWS[event.key];
    if (disabled || !arrow || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const step = (length: number) => Math.max(1, Math.round(length * KEY_STEP));
    const by = { x: arrow.x * step(image.width), y: arrow.y * step(image.height) };
    onRegion(event.shiftKey ? resizeRegion(region, by, image, shape) : moveRegion(region, by, image));
  };
  if (result) {
    return (
      <div className={styles.result} style={place}>
        <SplitView before={null} after={<Enlarged file={result} />} />
      </div>
    );
  }
  return (
    <div className={styles.layer} {...(disabled ? {} : drag)}>
      <div
        className={styles.region}
        style={place}
        data-region
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved and resized by keys
        tabIndex={0}
        aria-label={`${name} of ${size} pixels at ${region.left}, ${region.top}`}
        aria-roledescription="region"
        aria-describedby="region-keys"
        onKeyDown={onKeyDown}
      >
        <span className={styles.tag}>{size}</span>
        {CORNERS.map(({ x, y }) => (
          <i key={`${x}${y}`} data-corner={`${x}${y}`} />
        ))}
      </div>
      <p id="region-keys" className="sr-only">
        Arrow keys move the region, with Shift they resize it.
      </p>
    </div>
  );
}

function Enlarged({ file }: { readonly file: Blob }) {
  const url = useObjectUrl(file);
  return (
    url && <img className={`${styles.enlarged} develops`} src={url} alt="Region, result" draggable={false} />
  );
}

/** Drag of a pointer: it moves a region, or one corner opposite another. */
type Drag =
  | { readonly kind: 'move'; readonly from: Point }
  | { readonly kind: 'corner'; readonly opposite: Point };

function useDragging({ box }: StageView, { image, region, shape, onRegion }: RegionSelectProps) {
  const [drag, setDrag] = useState<Drag>();
  const begun = useRef(region);
  const getPoint = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Point => {
    const { left, top } = currentTarget.getBoundingClientRect();
    return {
      x: ((clientX - left - box.left) / box.width) * image.width,
      y: ((clientY - top - box.top) / box.height) * image.height,
    };
  };
  const stop = () => setDrag(undefined);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A second finger zooms.
      if (!event.isPrimary) return stop();
      if (event.button !== 0 || !(event.target instanceof HTMLElement)) return;
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      begun.current = region;
      const { corner } = event.target.dataset;
      const at = getPoint(event);
      if (corner) {
        const [x, y] = [...corner].map(Number) as [number, number];
        const opposite = {
          x: region.left + (1 - x) * region.width,
          y: region.top + (1 - y) * region.height,
        };
        return setDrag({ kind: 'corner', opposite });
      }
      if (event.target.closest('[data-region]')) return setDrag({ kind: 'move', from: at });
      setDrag({ kind: 'corner', opposite: at });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (!drag) return;
      const at = getPoint(event);
      if (drag.kind === 'corner') {
        const { opposite } = drag;
        const isFree = shape === undefined;
        return onRegion(
          isFree ? regionBetween(opposite, at, image) : shapedRegion(opposite, at, image, shape),
        );
      }
      onRegion(moveRegion(begun.current, { x: at.x - drag.from.x, y: at.y - drag.from.y }, image));
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  };
}
