'use client';

import { Download } from 'lucide-react';
import type { PixelRegion } from '../../../models/core/runtime/raster.ts';
import { ProgressLine } from '../../ui/progress-line.tsx';
import { formatSeconds } from '../../ui/quantities.ts';
import { describeProgress, shownShare } from '../runs/describe-run.ts';
import { saveBlob } from '../runs/results.ts';
import { focusStage } from '../stage/use-stage-focus.ts';
import styles from './region-bar.module.css';
import type { RegionRunView } from './use-region-run.ts';

/** Most pixels of an enlarged region: it is held whole. */
const PIXELS_MAX = 25_000_000;

interface RegionBarProps {
  readonly region: PixelRegion;
  readonly scale: number;
  readonly run: RegionRunView;
  /** Seconds that the region takes; undefined while that is unknown. */
  readonly estimate: number | undefined;
  readonly onStart: () => void;
}

/** Bar below the image: upscales the chosen region, then downloads its result. */
export function RegionBar({ region, scale, run, estimate, onStart }: RegionBarProps) {
  const { progress, result, failure } = run;
  const isTooLarge = region.width * region.height * scale ** 2 > PIXELS_MAX;
  /** For a button that its own press removes. */
  const pressed = (act: () => void) => () => {
    focusStage();
    act();
  };
  return (
    <section className={styles.bar} aria-label="Region">
      <p role="status" className="facts">
        {describeRegion({ region, scale, run, estimate }, isTooLarge)}
      </p>
      {progress ? (
        <>
          <ProgressLine fraction={shownShare(progress)} label="Progress of the region" />
          <button type="button" className="button" onClick={pressed(run.cancel)}>
            Cancel
          </button>
        </>
      ) : result ? (
        <>
          <button type="button" className="button" onClick={pressed(run.clear)}>
            Choose another
          </button>
          <button type="button" className="button" onClick={() => saveBlob(result.file.blob, result.name)}>
            <Download size={18} strokeWidth={1.5} aria-hidden />
            Download region
          </button>
        </>
      ) : (
        <button type="button" className="button" disabled={isTooLarge} onClick={pressed(onStart)}>
          Upscale this region
        </button>
      )}
      {failure && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </section>
  );
}

function describeRegion(
  { region, scale, run, estimate }: Omit<RegionBarProps, 'onStart'>,
  isTooLarge: boolean,
): string {
  const size = `${region.width * scale} × ${region.height * scale}`;
  if (run.progress) return describeProgress(run.progress);
  if (run.result) return `${size} · ${formatSeconds(run.result.saved.seconds)} · on this device`;
  if (isTooLarge) return 'Too large for a region: choose a smaller one, or upscale it all.';
  return estimate === undefined ? size : `${size} · about ${formatSeconds(estimate)}`;
}
