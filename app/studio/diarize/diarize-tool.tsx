'use client';

import { lazy, Suspense, useEffect, useState } from 'react';
import { formatCount } from '../../ui/quantities.ts';
import { FormatChoice } from '../form/format-choice.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { nameResults, nameRun } from '../runs/result-names.ts';
import { useRunFiles, useShownFile } from '../runs/runs-context.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { SoundPlayer } from '../sound/sound-player.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field } from '../tools/fields.ts';
import { TOOLS } from '../tools/tools.ts';
import type { Wording } from '../tools/wording.ts';
import { exportAs, FORMATS, type Format } from './exports.ts';
import {
  applyMoves,
  type EditHistory,
  emptyHistory,
  getSpeakers,
  pushEdit,
  readTimeline,
  redoEdit,
  renameByName,
  type SpeakerEdits,
  type Timeline,
  undoEdit,
} from './timeline.ts';

interface Edits {
  getEdits(item: BatchItem): EditHistory;
  set(item: BatchItem, edits: SpeakerEdits): void;
  undo(item: BatchItem): void;
  redo(item: BatchItem): void;
}

// Loaded with the first file.
const SpeakerStage = lazy(async () => ({ default: (await import('./speaker-stage.tsx')).SpeakerStage }));

const SpeakerSettings = lazy(async () => ({
  default: (await import('./speaker-settings.tsx')).SpeakerSettings,
}));

const { suffix: SUFFIX } = TOOLS['audio-diarize'];

const WORDING: Wording = {
  lead: 'The speakers, not their words.',
  verb: 'Find speakers in',
  fields: {
    speaker_count: {
      label: 'Speakers',
      explain: ({ speaker_count: asked }) =>
        asked === undefined ? 'Estimated, and often wrong: give it if you know it.' : '',
    },
  },
};

/** Page of the diarization. A run finds turns; names, merges and splits need no new one. */
export function DiarizeTool({ fields }: { readonly fields: readonly Field[] }) {
  const [player] = useState(() => new SoundPlayer());
  const [format, setFormat] = useSessionState<Format>('audio-diarize/format', 'srt');
  const timelines = useTimelines();
  const edits = useEdits();
  return (
    <ToolFrame
      operationId="audio-diarize"
      fields={fields}
      wording={{ ...WORDING, downloads: FORMATS[format].name }}
      summary={({ speaker_count: count }) =>
        count === undefined ? 'Speakers: automatic' : formatCount(Number(count), 'speaker')
      }
      results={{
        getVerdict: (item) => countSpeakers(timelines.getTimeline(item), edits.getEdits(item).now),
        finish: async (item) => {
          const file = resultBlob(item);
          if (!file) return [];
          const recording = item.file.name.replace(/\.[^.]+$/, '');
          const made = exportAs(format, await readTimeline(file), edits.getEdits(item).now, recording);
          return nameResults(item.file, { files: [made], suffix: SUFFIX });
        },
      }}
      stage={<SelectedRecording player={player} timelines={timelines} edits={edits} />}
      settings={
        <>
          <ReadTimelines timelines={timelines} />
          <FoundSpeakers player={player} timelines={timelines} edits={edits} />
          <FormatChoice formats={FORMATS} format={format} onFormat={setFormat} />
        </>
      }
    />
  );
}

function countSpeakers(timeline: Timeline | undefined, edits: SpeakerEdits): string | undefined {
  if (!timeline) return undefined;
  const speakers = getSpeakers(applyMoves(timeline, edits), edits).length;
  return speakers === 0 ? 'no speech' : formatCount(speakers, 'speaker');
}

/** Findings of the results that were read. */
interface Timelines {
  getTimeline(item: BatchItem): Timeline | undefined;
  /** Adds what was read from the file of a result. */
  add(file: Blob, timeline: Timeline): void;
}

function useTimelines(): Timelines {
  const [timelines, setTimelines] = useState<ReadonlyMap<Blob, Timeline>>(new Map());
  return {
    getTimeline(item) {
      const file = resultBlob(item);
      return file && timelines.get(file);
    },
    add: (file, timeline) =>
      setTimelines((before) => (before.has(file) ? before : new Map(before).set(file, timeline))),
  };
}

interface SelectedRecordingProps {
  readonly player: SoundPlayer;
  readonly timelines: Timelines;
  readonly edits: Edits;
}

/** Reads the results of all files, which their tiles tell of. Renders nothing. */
function ReadTimelines({ timelines }: { readonly timelines: Timelines }) {
  const { items } = useRunFiles();
  const unread = items.flatMap((item) => (timelines.getTimeline(item) ? [] : (resultBlob(item) ?? [])));
  const key = items.map((item) => (timelines.getTimeline(item) ? '' : nameRun(item))).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key names the results
  useEffect(() => {
    for (const file of unread) {
      readTimeline(file).then(
        (found) => timelines.add(file, found),
        // The stage says why, once the file is shown.
        () => {},
      );
    }
  }, [key]);
  return null;
}

function SelectedRecording({ player, timelines, edits }: SelectedRecordingProps) {
  const shown = useShownFile();
  if (!shown) return null;
  return (
    <Suspense>
      <SpeakerStage
        key={shown.item.id}
        {...shown}
        player={player}
        timeline={timelines.getTimeline(shown.item)}
        edits={edits.getEdits(shown.item).now}
        onTimeline={timelines.add}
      />
    </Suspense>
  );
}

/** Shows the speakers to name and to merge, once some were found. */
function FoundSpeakers({ player, timelines, edits }: SelectedRecordingProps) {
  const { items } = useRunFiles();
  const item = useShownFile()?.item;
  const timeline = item && timelines.getTimeline(item);
  if (!item || !timeline || timeline.segments.length === 0) return null;
  const others = items.flatMap((other) => {
    const own = timelines.getTimeline(other);
    return own && other.id !== item.id
      ? [{ item: other, timeline: own, now: edits.getEdits(other).now }]
      : [];
  });
  return (
    <Suspense>
      <SpeakerSettings
        timeline={timeline}
        history={edits.getEdits(item)}
        player={player}
        onEdits={(next) => edits.set(item, next)}
        onUndo={() => edits.undo(item)}
        onRedo={() => edits.redo(item)}
        countOthers={(name) =>
          others.filter(({ timeline: own, now }) =>
            getSpeakers(applyMoves(own, now), now).some((speaker) => speaker.name === name),
          ).length
        }
        onRenameOthers={(from, name) => {
          for (const { item: other, timeline: own, now } of others) {
            edits.set(other, renameByName(own, now, from, name));
          }
        }}
      />
    </Suspense>
  );
}

function resultBlob({ state }: BatchItem): Blob | undefined {
  return state.phase === 'done' ? state.result.files[0]?.blob : undefined;
}

/** Edits of all files. They outlive the page, as the results do. */
function useEdits(): Edits {
  const [all, setAll] = useSessionState<Readonly<Record<number, EditHistory>>>('audio-diarize/history', {});
  const getHistory = (histories: typeof all, item: BatchItem) => {
    const run = nameRun(item);
    const own = histories[item.id];
    return own?.now.run === run ? own : emptyHistory(run);
  };
  const change = (item: BatchItem, next: (history: EditHistory) => EditHistory) =>
    setAll((before) => ({ ...before, [item.id]: next(getHistory(before, item)) }));
  return {
    getEdits: (item) => getHistory(all, item),
    set: (item, edits) => change(item, (history) => pushEdit(history, edits)),
    undo: (item) => change(item, undoEdit),
    redo: (item) => change(item, redoEdit),
  };
}
