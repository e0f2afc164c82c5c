'use client';

import { lazy, Suspense, useState } from 'react';
import type { AudioFormat } from '../../../models/runtime/audio-codec.ts';
import { formatClock, formatCount } from '../../text/quantities.ts';
import { ChoiceField } from '../form/choice-field.tsx';
import { FormatChoice } from '../form/format-choice.tsx';
import { type Field, valuesOf } from '../params/fields.ts';
import type { Wording } from '../params/wording.ts';
import { useSessionState } from '../session/use-session-state.ts';
import { MixPlayer } from '../sound/mix-player.ts';
import { SoundPlayer } from '../sound/sound-player.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { ExportContent } from './exports.ts';
import { stemsOf } from './stems.ts';
import { useMixes } from './use-mixes.ts';

// Loaded with the first file.
const StemsStage = lazy(async () => ({ default: (await import('./stems-stage.tsx')).StemsStage }));
const PartSettings = lazy(async () => ({ default: (await import('./part-settings.tsx')).PartSettings }));

const WORDING: Wording = {
  lead: 'Music taken apart. Together the stems are the original again.',
  verb: 'Split',
  showsSizeChange: false,
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
  wav: { name: 'WAV', means: 'Uncompressed. The stems add up to the original.' },
  mp3: { name: 'MP3', means: '192 kbit/s, about a seventh of the size.' },
} as const;

const SAVED: Readonly<Record<ExportContent, string>> = {
  stems: 'Each stem',
  mix: 'The mix',
  part: 'The loop',
};

/** Page of the separation. A run makes stems; their mix, its loop and the format of downloads need no new one. */
export function StemsTool({ fields }: { readonly fields: readonly Field[] }) {
  const [player] = useState(() => new MixPlayer());
  const [original] = useState(() => new SoundPlayer());
  const [format, setFormat] = useSessionState<AudioFormat>('audio-separate-stems/format', 'wav');
  const [chosen, setSaved] = useSessionState<ExportContent>('audio-separate-stems/saved', 'stems');
  const mixes = useMixes();
  return (
    <ToolFrame
      operationId="audio-separate-stems"
      fields={fields}
      wording={{ ...WORDING, savesOne: chosen !== 'stems' }}
      keepsResults
      // Stems stay exact until they are saved: only then they become MP3.
      paramsFor={(_file, values) => ({ ...valuesOf(fields, values), output_format: 'wav' })}
      verdictOf={(item) => {
        const stems = stemsOf(item);
        return stems.length > 0 ? formatCount(stems.length, 'stem') : undefined;
      }}
      finish={async (item, options) => {
        const { exportStems } = await import('./exports.ts');
        return exportStems(item, chosen, format, mixes.mixOf(item), options);
      }}
      stage={(item, runs) => {
        const shown = runs.shownOf(item);
        return (
          <Suspense>
            <StemsStage
              key={item.id}
              {...shown}
              player={player}
              original={original}
              mix={mixes.mixOf(shown.item)}
              onMix={(change) => mixes.change(shown.item, change)}
              fileOf={async (stem, signal) => {
                const { exportStem } = await import('./exports.ts');
                return exportStem(shown.item, stem, format, signal);
              }}
            />
          </Suspense>
        );
      }}
      settings={(selected, runs) => {
        const item = selected && runs.shownOf(selected).item;
        const mix = item && stemsOf(item).length > 0 ? mixes.mixOf(item) : undefined;
        return (
          <>
            {item && mix && (
              <Suspense>
                <PartSettings mix={mix} player={player} onMix={(change) => mixes.change(item, change)} />
              </Suspense>
            )}
            <ChoiceField
              label="Save"
              name="saved"
              choices={SAVED}
              value={chosen}
              explanation={
                {
                  stems: 'One file for each stem, as it came.',
                  mix: 'One file, with gains, mutes and solos as set.',
                  part: mix?.part
                    ? `The mix from ${formatClock(mix.part.start)} to ${formatClock(mix.part.end)}.`
                    : 'The part of the mix that repeats; all of it where no loop is set.',
                }[chosen]
              }
              onChange={setSaved}
            />
            <FormatChoice formats={FORMATS} format={format} onFormat={setFormat} />
          </>
        );
      }}
    />
  );
}
