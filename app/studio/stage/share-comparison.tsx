'use client';

import { useState } from 'react';
import { useAbortOnUnmount } from '../../ui/hooks.ts';
import { StageMenu } from '../download/open-in-tool.tsx';
import { describeFailure } from '../failures/describe-failure.ts';
import { openBitmap } from '../files/open-bitmap.ts';
import { saveBlob } from '../runs/results.ts';
import { type ComparedImages, comparisonPicture, comparisonVideo, videoType } from './draw-comparison.ts';

interface ShareComparisonProps {
  /** Name of the file. */
  readonly name: string;
  readonly before: Blob;
  /** Makes the image to compare with. */
  readonly after: (signal: AbortSignal) => Promise<Blob | undefined>;
  /** Words on both sides; before and after by default. */
  readonly words?: ComparedImages['words'] | undefined;
}

/** Longest side of a shared picture and of a video, in pixels. */
const SIDE = { picture: 2400, video: 1280 } as const;

/** Saves a before and after as a picture, or as a video in which the line moves: made on this device. */
export function ShareComparison({ name, before, after, words = BEFORE_AND_AFTER }: ShareComparisonProps) {
  const leaving = useAbortOnUnmount();
  const [state, setState] = useState<{ readonly words: string; readonly isBusy: boolean }>(IDLE);
  const type = videoType();
  const save = async (kind: keyof typeof SIDE) => {
    const signal = leaving.begin();
    setState({ words: 'Preparing…', isBusy: true });
    let images: ComparedImages | undefined;
    try {
      images = { ...(await openImages(before, await after(signal), SIDE[kind], signal)), words };
      const onProgress = (fraction: number) =>
        setState({ words: `Recording ${Math.round(fraction * 100)} %`, isBusy: true });
      const blob =
        kind === 'picture' || !type
          ? await comparisonPicture(images)
          : await comparisonVideo(images, type, { signal, onProgress });
      if (signal.aborted) return;
      saveBlob(blob, `${name.replace(/\.[^.]+$/, '')}-comparison.${blob.type.split('/').pop()}`);
      setState(IDLE);
    } catch (error) {
      if (!signal.aborted) setState({ words: describeFailure(error), isBusy: false });
    } finally {
      images?.before.close();
      images?.after.close();
    }
  };
  return (
    <>
      <span role="status" className="facts">
        {state.words}
      </span>
      <StageMenu label="Before and after">
        <button type="button" className="button" disabled={state.isBusy} onClick={() => void save('picture')}>
          Save as a picture
        </button>
        {type && (
          <button type="button" className="button" disabled={state.isBusy} onClick={() => void save('video')}>
            Save as a 3 s video
          </button>
        )}
      </StageMenu>
    </>
  );
}

const IDLE = { words: '', isBusy: false };
const BEFORE_AND_AFTER = { before: 'before', after: 'after' };

/** Opens both images in the size of the result. */
async function openImages(
  before: Blob,
  after: Blob | undefined,
  sideMax: number,
  signal: AbortSignal,
): Promise<Omit<ComparedImages, 'words'>> {
  const changed = await openBitmap(after ?? before, sideMax, signal);
  return { before: await openBitmap(before, sideMax, signal), after: changed };
}
