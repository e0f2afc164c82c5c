'use client';

import type { CSSProperties } from 'react';
import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import type { Extent } from '../../../models/operations/extend/geometry.ts';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { StagePlane } from '../stage/stage-plane.tsx';
import styles from './extend.module.css';
import { FrameEdges } from './frame-edges.tsx';
import { freeMargins, getMargins } from './margins.ts';

/** Share of the longer side that stays free around the frame, so that its edges can be gripped. */
const ROOM = 0.04;

/** Returns the CSS of a part of a canvas, in shares of its sides. */
export function placeIn(canvas: ImageSize, { left, top, width, height }: PixelRegion): CSSProperties {
  return {
    left: `${(left / canvas.width) * 100}%`,
    top: `${(top / canvas.height) * 100}%`,
    width: `${(width / canvas.width) * 100}%`,
    height: `${(height / canvas.height) * 100}%`,
  };
}

/** Returns the room around a frame, in image pixels. */
export function marginAround({ width, height }: Extent): number {
  return Math.ceil(Math.max(width, height) * ROOM);
}

interface EdgesViewProps {
  readonly url: string;
  readonly name: string;
  readonly image: ImageSize;
  readonly extent: Extent;
  readonly room: number;
  /** URL of a small image of the filled canvas; undefined while there is none. */
  readonly preview: string | undefined;
}

/** Shows an image within its frame, whose edges can be moved. */
export function EdgesView({ url, name, image, extent, room, preview }: EdgesViewProps) {
  const { values } = useRunSettings();
  const { isRunning } = useRunOutline();
  const { change } = useRunActions();
  const { width, height, kept } = extent;
  const whole = { width: width + 2 * room, height: height + 2 * room };
  const inCanvas = (part: PixelRegion) =>
    placeIn(whole, { ...part, left: part.left + room, top: part.top + room });
  const added = inCanvas({ left: 0, top: 0, width, height });
  return (
    <>
      <StagePlane>
        <div className={styles.canvas} data-parts>
          <div className={styles.added} style={added} />
          {preview !== undefined && (
            <img
              className={styles.preview}
              style={added}
              src={preview}
              alt="Preview of the added area"
              draggable={false}
            />
          )}
          <img className={styles.kept} style={inCanvas(kept)} src={url} alt={name} draggable={false} />
        </div>
      </StagePlane>
      <FrameEdges
        extent={extent}
        room={room}
        disabled={isRunning}
        margins={getMargins(image, values)}
        onMargins={(margins) => change(freeMargins(margins))}
      />
    </>
  );
}
