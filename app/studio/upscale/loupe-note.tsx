'use client';

import { formatBytes, formatSeconds } from '../../ui/quantities.ts';
import { focusStage } from '../stage/use-stage-focus.ts';
import { getModelName } from './upscalers.ts';
import type { LoupeResult } from './use-loupe.ts';

interface LoupeNoteProps {
  readonly result: LoupeResult;
  /** Bytes that the model loads first; undefined when it is ready, or that is unknown. */
  readonly missingBytes: number | undefined;
  readonly onLoad: () => void;
}

/** Says what the loupe shows, or what it needs first. Nothing is loaded before the click. */
export function LoupeNote({ result, missingBytes, onLoad }: LoupeNoteProps) {
  const { shown, isWorking, failure } = result;
  const isMissing = missingBytes !== undefined && missingBytes > 0;
  const words = () => {
    if (failure) return failure;
    if (isMissing) return 'The preview needs this model.';
    if (isWorking) return 'Making the preview…';
    return shown ? `Preview in ${formatSeconds(shown.seconds)} by ${getModelName(shown.engine)}` : '';
  };
  const load = () => {
    // The press removes the button.
    focusStage();
    onLoad();
  };
  return (
    <>
      <p role="status" className="note">
        {words()}
      </p>
      {isMissing && (
        <button type="button" className="button" onClick={load}>
          Load {formatBytes(missingBytes)}
        </button>
      )}
    </>
  );
}
