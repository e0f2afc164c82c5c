'use client';

import { lazy, Suspense, useState } from 'react';
import { formatCount } from '../../text/quantities.ts';
import type { BatchItem } from '../batch/batch.ts';
import { nameResults } from '../batch/result-names.ts';
import { FormatChoice } from '../form/format-choice.tsx';
import type { Field } from '../params/fields.ts';
import type { Wording } from '../params/wording.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { SoundPlayer } from '../sound/sound-player.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import { TOOLS } from '../tools/tools.ts';
import { exportAs, type Format } from './exports.ts';
import { FORMATS } from './formats.ts';
import { applyMoves, readTimeline, speakersOf, type Timeline } from './timeline.ts';
import { useEdits } from './use-edits.ts';

// Loaded with the first file.
const SpeakerStage = lazy(async () => ({ default: (await import('./speaker-stage.tsx')).SpeakerStage }));
const SpeakerSettings = lazy(async () => ({
  default: (await import('./speaker-settings.tsx')).SpeakerSettings,
}));

const { suffix: SUFFIX } = TOOLS['audio-diarize'];

const WORDING: Wording = {
  lead: 'Who spoke when, and for how long. Not what was said.',
  verb: 'Find speakers in',
  showsSizeChange: false,
  fields: {
    speaker_count: {
      label: 'How many speakers',
      explain: ({ speaker_count: asked }) =>
        asked === undefined
          ? 'Empty: the number is estimated, and often wrong. Give it if you know it.'
          : `The speech is split among exactly ${asked}.`,
    },
  },
};

/** Page of the diarization. A run finds turns; names, merges and splits need no new one. */
export function WhoSpokeTool({ fields }: { readonly fields: readonly Field[] }) {
  const [player] = useState(() => new SoundPlayer());
  const [format, setFormat] = useSessionState<Format>('audio-diarize/format', 'srt');
  const [timelines, setTimelines] = useState<ReadonlyMap<Blob, Timeline>>(new Map());
  const edits = useEdits();
  const timelineOf = (item: BatchItem) => timelines.get(resultBlob(item) as Blob);
  const verdictOf = (item: BatchItem) => {
    const timeline = timelineOf(item);
    if (!timeline) return undefined;
    const own = edits.editsOf(item).now;
    const speakers = speakersOf(applyMoves(timeline, own), own).length;
    return speakers === 0 ? 'no speech' : formatCount(speakers, 'speaker');
  };
  const onTimeline = (file: Blob, timeline: Timeline) =>
    setTimelines((before) => (before.has(file) ? before : new Map(before).set(file, timeline)));
  return (
    <ToolFrame
      operationId="audio-diarize"
      fields={fields}
      wording={{ ...WORDING, downloads: FORMATS[format].name }}
      keepsResults
      summary={(_selected, { values }) =>
        values.speaker_count === undefined
          ? 'Estimated number'
          : formatCount(Number(values.speaker_count), 'speaker')
      }
      verdictOf={verdictOf}
      finish={async (item) => {
        const file = resultBlob(item);
        if (!file) return [];
        const recording = item.file.name.replace(/\.[^.]+$/, '');
        const made = exportAs(format, await readTimeline(file), edits.editsOf(item).now, recording);
        return nameResults(item.file, { files: [made], suffix: SUFFIX });
      }}
      stage={(item, runs) => {
        const shown = runs.shownOf(item);
        return (
          <Suspense>
            <SpeakerStage
              key={item.id}
              {...shown}
              player={player}
              timeline={timelineOf(shown.item)}
              edits={edits.editsOf(shown.item).now}
              onTimeline={onTimeline}
            />
          </Suspense>
        );
      }}
      settings={(selected, runs) => {
        const item = selected && runs.shownOf(selected).item;
        const timeline = item && timelineOf(item);
        return (
          <>
            {item && timeline && timeline.segments.length > 0 && (
              <Suspense>
                <SpeakerSettings
                  timeline={timeline}
                  history={edits.editsOf(item)}
                  player={player}
                  onEdits={(next) => edits.set(item, next)}
                  onUndo={() => edits.undo(item)}
                  onRedo={() => edits.redo(item)}
                />
              </Suspense>
            )}
            <FormatChoice formats={FORMATS} format={format} onFormat={setFormat} />
          </>
        );
      }}
    />
  );
}

function resultBlob({ state }: BatchItem): Blob | undefined {
  return state.phase === 'done' ? state.result.files[0]?.blob : undefined;
}
