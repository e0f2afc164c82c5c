'use client';

import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useAbortOnUnmount } from '../../../ui/use-abort-on-unmount.ts';
import { useMenu } from '../../../ui/use-menu.ts';
import { saveResults } from '../../batch/results.ts';
import menuStyles from '../../download/open-in-tool.module.css';
import { describeFailure } from '../../failures/describe-failure.ts';
import { type ComparedImages, comparisonPicture, comparisonVideo, videoType } from './draw-comparison.ts';
import { openBitmap } from './read-pixels.ts';

interface ShareComparisonProps {
  /** Name of the file. */
  readonly name: string;
  readonly before: Blob;
  /** Makes the image to compare with. */
  readonly after: (signal: AbortSignal) => Promise<Blob | undefined>;
}

/** Longest side of a shared picture and of a video, in pixels. */
const SIDE = { picture: 2400, video: 1280 } as const;
const SIDES = { before: 'before', after: 'after' } as const;

/** Saves a before and after as a picture, or as a video in which the line moves: made on this device. */
export function ShareComparison({ name, before, after }: ShareComparisonProps) {
  const { menu, onToggle } = useMenu();
  const leaving = useAbortOnUnmount();
  const [state, setState] = useState<{ readonly words: string; readonly isBusy: boolean }>(IDLE);
  const type = videoType();
  const save = async (kind: keyof typeof SIDE) => {
    const signal = leaving.begin();
    setState({ words: 'Preparing…', isBusy: true });
    try {
      const images = await openImages(before, await after(signal), SIDE[kind], signal);
      const onProgress = (fraction: number) =>
        setState({ words: `Recording ${Math.round(fraction * 100)} %`, isBusy: true });
      const blob =
        kind === 'picture' || !type
          ? await comparisonPicture(images)
          : await comparisonVideo(images, type, { signal, onProgress });
      if (!signal.aborted) await saveAs(`${name.replace(/\.[^.]+$/, '')}-comparison`, blob);
      if (!signal.aborted) setState(IDLE);
    } catch (error) {
      if (!signal.aborted) setState({ words: describeFailure(error), isBusy: false });
    }
  };
  return (
    <>
      <span role="status" className="facts">
        {state.words}
      </span>
      <details ref={menu} className={menuStyles.menu} onToggle={onToggle}>
        <summary className="button">
          Share <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
        </summary>
        <div className={menuStyles.tools}>
          <button
            type="button"
            className="button"
            disabled={state.isBusy}
            onClick={() => void save('picture')}
          >
            Before and after as a picture
          </button>
          {type && (
            <button
              type="button"
              className="button"
              disabled={state.isBusy}
              onClick={() => void save('video')}
            >
              Before and after as a 3 s video
            </button>
          )}
        </div>
      </details>
    </>
  );
}

const IDLE = { words: '', isBusy: false };

/** Opens both images in the size of the result. */
async function openImages(
  before: Blob,
  after: Blob | undefined,
  sideMax: number,
  signal: AbortSignal,
): Promise<ComparedImages> {
  const changed = await openBitmap(after ?? before, sideMax, signal);
  return { before: await openBitmap(before, sideMax, signal), after: changed, sides: SIDES };
}

async function saveAs(stem: string, blob: Blob): Promise<void> {
  const name = `${stem}.${blob.type.split('/').pop()}`;
  await saveResults([{ name, file: { name, mediaType: blob.type, blob } }], '');
}
