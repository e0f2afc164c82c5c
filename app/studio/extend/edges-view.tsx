'use client';

import type { CSSProperties } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import type { Extent } from '../../../models/operations/extend/geometry.ts';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { StagePlane } from '../stage/view/stage-plane.tsx';
import styles from './extend.module.css';
import { FrameEdges } from './frame-edges.tsx';
import { freeMargins, getMargins } from './margins.ts';

/** Share of the longer side that stays free around the frame, so that its edges can be gripped. */
const ROOM = 0.04;

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
  const inCanvas = (left: number, top: number, size: { width: number; height: number }): CSSProperties => ({
    left: `${((left + room) / (width + 2 * room)) * 100}%`,
    top: `${((top + room) / (height + 2 * room)) * 100}%`,
    width: `${(size.width / (width + 2 * room)) * 100}%`,
    height: `${(size.height / (height + 2 * room)) * 100}%`,
  });
  return (
    <>
      <StagePlane>
        <div className={styles.canvas} data-parts>
          <div className={styles.added} style={inCanvas(0, 0, extent)} />
          {preview !== undefined && (
            <img
              className={styles.preview}
              style={inCanvas(0, 0, extent)}
              src={preview}
              alt="Preview of the added area"
              draggable={false}
            />
          )}
          <img
            className={styles.kept}
            style={inCanvas(kept.left, kept.top, kept)}
            src={url}
            alt={name}
            draggable={false}
          />
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
