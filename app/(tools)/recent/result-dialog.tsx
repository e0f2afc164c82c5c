'use client';

import { Download, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { CopyButton, getPng } from '../../studio/download/copy-button.tsx';
import { OpenInTool } from '../../studio/download/open-in-tool.tsx';
import { useOpenedImage } from '../../studio/files/use-viewable.ts';
import { saveBlob } from '../../studio/runs/results.ts';
import { pinResult, type RecentResult } from '../../studio/runs/stored-results.ts';
import { Waiting } from '../../studio/stage/waiting.tsx';
import { useObjectUrl } from '../../ui/hooks.ts';
import { formatBytes } from '../../ui/quantities.ts';
import styles from './result-dialog.module.css';

interface ResultDialogProps {
  readonly result: RecentResult;
  readonly onClose: () => void;
}

/** Shows a result large, to download it or send it to a tool. */
export function ResultDialog({ result, onClose }: ResultDialogProps) {
  const { name, blob } = result;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const file = { name, mediaType: blob.type, blob };
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby="viewed" onClose={onClose}>
      <header>
        <h2 id="viewed">{name}</h2>
        <p className="facts">{formatBytes(blob.size)}</p>
        <form method="dialog">
          <button type="submit" className="button-icon" aria-label="Close">
            <X size={20} strokeWidth={1.5} aria-hidden />
          </button>
        </form>
      </header>
      <div className={styles.view}>
        {blob.type.startsWith('video/') ? (
          <Video blob={blob} name={name} />
        ) : blob.type.startsWith('audio/') ? (
          <Sound blob={blob} name={name} />
        ) : (
          <Image blob={blob} name={name} />
        )}
      </div>
      <div className={styles.actions}>
        <button type="button" className="button button-primary" onClick={() => saveRecent(result)}>
          <Download size={20} strokeWidth={1.5} aria-hidden />
          Download
        </button>
        {blob.type.startsWith('image/') && <CopyButton make={(signal) => getPng(blob, signal)} />}
        <OpenInTool slug="recent" result={{ name, file }} inMenu={false} />
      </div>
    </dialog>
  );
}

interface ViewProps {
  readonly blob: Blob;
  readonly name: string;
}

function Image({ blob, name }: ViewProps) {
  const { url, progress } = useOpenedImage(blob);
  if (url === undefined) return <Waiting words={`Opening ${name}`} progress={progress} image={blob} />;
  return url === null ? <p>{name} can't be shown here.</p> : <img src={url} alt={name} />;
}

function Video({ blob, name }: ViewProps) {
  const url = useObjectUrl(blob);
  // biome-ignore lint/a11y/useMediaCaption: the sound is that of the visitor's own video, which has no captions
  return <video src={url} aria-label={name} controls loop playsInline />;
}

function Sound({ blob, name }: ViewProps) {
  const url = useObjectUrl(blob);
  // biome-ignore lint/a11y/useMediaCaption: the sound is made from the visitor's own, which has no captions
  return <audio src={url} aria-label={name} controls />;
}

/**
 * Saves a recent result to the browser's downloads. It then stays among the recent ones when its tool makes another.
 */
export function saveRecent({ id, name, blob }: RecentResult): void {
  saveBlob(blob, name);
  void pinResult(id).catch(() => {});
}
