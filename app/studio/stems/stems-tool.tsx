'use client';

import { lazy, Suspense, useState } from 'react';
import type { AudioFormat } from '../../../models/core/runtime/audio-codec.ts';
import { formatClock, formatCount } from '../../ui/quantities.ts';
import { ChoiceField } from '../form/choice-field.tsx';
import { FormatChoice } from '../form/format-choice.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { nameRun } from '../runs/result-names.ts';
import { useShownFile } from '../runs/runs-context.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { MixPlayer } from '../sound/mix-player.ts';
import { SoundPlayer } from '../sound/sound-player.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import { type Field, getValues } from '../tools/fields.ts';
import type { Wording } from '../tools/wording.ts';
import type { ExportContent } from './exports.ts';
import { initialMix, type Mix } from './mix.ts';
import { getSongFacts, getStems } from './stems.ts';
import { TwoFromFour } from './two-from-four.tsx';

interface Mixes {
  getMix(item: BatchItem): Mix;
  change(item: BatchItem, change: (mix: Mix) => Mix): void;
}

// Loaded with the first file.
const StemsStage = lazy(async () => ({ default: (await import('./stems-stage.tsx')).StemsStage }));

const PartSettings = lazy(async () => ({ default: (await import('./part-settings.tsx')).PartSettings }));

const WORDING: Wording = {
  lead: 'Take a song apart, and remix it.',
  verb: 'Split',
  fields: {
    stems: {
      label: 'Split into',
      choices: { two: 'Two', four: 'Four' },
      explain: ({ stems }) =>
        stems === 'four' ? 'Vocals, drums, bass and other.' : 'Vocals, and all the rest.',
    },
  },
};

const FORMATS = {
  wav: { name: 'WAV', means: 'Uncompressed.' },
  flac: { name: 'FLAC', means: 'The same sound in half of the size.' },
  mp3: { name: 'MP3', means: 'A seventh of the size.' },
} as const;

const SAVED: Readonly<Record<ExportContent, string>> = {
  stems: 'Each stem',
  mix: 'The mix',
  part: 'The loop',
};

/** Page of the separation. A run makes stems; their mix, its loop and the format of downloads need no new one. */
export function StemsTool({ fields }: { readonly fields: readonly Field[] }) {
  const [player] = useState(() => new MixPlayer());
  const [format, setFormat] = useSessionState<AudioFormat>('audio-separate-stems/format', 'wav');
  const [content, setContent] = useSessionState<ExportContent>('audio-separate-stems/saved', 'stems');
  const mixes = useMixes();
  return (
    <ToolFrame
      operationId="audio-separate-stems"
      fields={fields}
      wording={{ ...WORDING, savesOne: content !== 'stems' }}
      handling={{
        // Stems stay exact until they are saved: only then they become MP3.
        paramsFor: (_file, values) => ({ ...getValues(fields, values), output_format: 'wav' }),
      }}
      results={{
        getVerdict,
        finish: async (item, options) => {
          const { exportStems } = await import('./exports.ts');
          return exportStems(item, content, format, mixes.getMix(item), options);
        },
      }}
      stage={<SelectedMusic player={player} mixes={mixes} format={format} />}
      settings={
        <>
          <TwoFromFour />
          <LoopSettings player={player} mixes={mixes} />
          <ContentChoice mixes={mixes} content={content} onContent={setContent} />
          <FormatChoice formats={FORMATS} format={format} onFormat={setFormat} />
        </>
      }
    />
  );
}

function getVerdict(item: BatchItem): string | undefined {
  const stems = getStems(item);
  return stems.length > 0 ? formatCount(stems.length, 'stem') : undefined;
}

interface MixProps {
  readonly player: MixPlayer;
  readonly mixes: Mixes;
}

function SelectedMusic({ player, mixes, format }: MixProps & { readonly format: AudioFormat }) {
  const [original] = useState(() => new SoundPlayer());
  const shown = useShownFile();
  if (!shown) return null;
  const { item } = shown;
  return (
    <Suspense>
      <StemsStage
        key={item.id}
        {...shown}
        player={player}
        original={original}
        mix={mixes.getMix(item)}
        onMix={(change) => mixes.change(item, change)}
        getFile={async (stem, signal) => {
          const { exportStem } = await import('./exports.ts');
          return exportStem(item, stem, format, signal);
        }}
      />
    </Suspense>
  );
}

/** Shows the settings of the part that repeats, once there are stems. */
function LoopSettings({ player, mixes }: MixProps) {
  const item = useShownFile()?.item;
  if (!item || getStems(item).length === 0) return null;
  return (
    <Suspense>
      <PartSettings
        mix={mixes.getMix(item)}
        player={player}
        tempoBpm={getSongFacts(item).tempoBpm}
        onMix={(change) => mixes.change(item, change)}
      />
    </Suspense>
  );
}

interface ContentChoiceProps extends Pick<MixProps, 'mixes'> {
  readonly content: ExportContent;
  readonly onContent: (content: ExportContent) => void;
}

/** Chooses what a download holds. */
function ContentChoice({ mixes, content, onContent }: ContentChoiceProps) {
  const item = useShownFile()?.item;
  const part = item && getStems(item).length > 0 ? mixes.getMix(item).part : undefined;
  const explanations: Readonly<Record<ExportContent, string>> = {
    stems: 'One file each.',
    mix: 'One file, as you mixed it.',
    part: part
      ? `The mix from ${formatClock(part.start)} to ${formatClock(part.end)}.`
      : 'All of it, until a loop is set.',
  };
  return (
    <ChoiceField
      label="Save"
      name="saved"
      choices={SAVED}
      value={content}
      explanation={explanations[content]}
      onChange={onContent}
    />
  );
}

/** Mixes of all files. They outlive the page, as the results do. */
function useMixes(): Mixes {
  const [all, setAll] = useSessionState<Readonly<Record<number, Mix>>>('audio-separate-stems/mixes', {});
  const getOwn = (mixes: Readonly<Record<number, Mix>>, item: BatchItem) => {
    const run = nameRun(item);
    const own = mixes[item.id];
    return own?.run === run ? own : initialMix(run);
  };
  return {
    getMix: (item) => getOwn(all, item),
    change: (item, change) => setAll((before) => ({ ...before, [item.id]: change(getOwn(before, item)) })),
  };
}
