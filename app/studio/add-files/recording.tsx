'use client';

import { Mic, Square } from 'lucide-react';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { formatClock } from '../../ui/quantities.ts';
import { Recorder, type RecordingFault } from './recorder.ts';
import styles from './recording.module.css';

const WORDS: Readonly<Record<RecordingFault, string>> = {
  denied: 'The microphone is blocked for this site. Allow it in the browser’s settings, then try again.',
  'no-device': 'No microphone was found. Connect one, then try again.',
  unsupported: 'This browser cannot record. Record with another app, and choose the file here.',
  reload: 'Reload this page before you record.',
  failed: 'The microphone could not be used. Another app may hold it.',
};

interface RecordingProps {
  readonly onFiles: (files: readonly File[]) => void;
}

/** Records from the microphone; the recording is taken as a chosen file is. */
export function Recording({ onFiles }: RecordingProps) {
  const onFile = useEffectEvent((file: File) => onFiles([file]));
  const [recorder, setRecorder] = useState<Recorder>();
  useEffect(() => {
    const made = new Recorder((file) => onFile(file));
    setRecorder(made);
    return made.cancel;
  }, []);
  return recorder && <Controls recorder={recorder} />;
}

function Controls({ recorder: { state, start, stop, cancel } }: { readonly recorder: Recorder }) {
  const now = useSyncExternalStore(state.subscribe, state.get, state.get);
  const isBusy = now.phase === 'recording' || now.phase === 'asking';
  return (
    <div className={styles.recording}>
      {!isBusy && (
        <button type="button" className="button" onClick={start}>
          <Mic size={20} strokeWidth={1.5} aria-hidden />
          Record
        </button>
      )}
      {now.phase === 'asking' && <span>Waiting for the microphone…</span>}
      {now.phase === 'recording' && (
        <>
          <span className="facts" role="timer" aria-label="Recorded">
            {formatClock(now.seconds)}
          </span>
          <meter min={0} max={1} value={now.level} aria-label="Level" />
          <button type="button" className="button" onClick={stop}>
            <Square size={18} strokeWidth={1.5} aria-hidden />
            Stop and use
          </button>
        </>
      )}
      {isBusy && (
        <button type="button" className="button button-quiet" onClick={cancel}>
          Cancel recording
        </button>
      )}
      <p role="status">{now.phase === 'failed' && WORDS[now.fault]}</p>
      {now.phase === 'failed' && now.fault === 'reload' && (
        <button type="button" className="button" onClick={() => location.reload()}>
          Reload page
        </button>
      )}
    </div>
  );
}
