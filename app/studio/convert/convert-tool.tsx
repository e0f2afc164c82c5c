'use client';

import { useEffect, useState } from 'react';
import { countFrames } from '../../../models/media/image/read-contents.ts';
import { FoldedForm } from '../form/params-form.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunFiles, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field } from '../tools/fields.ts';
import { Comparison, ConvertStage } from './comparison.tsx';
import styles from './convert.module.css';
import { deviceSettings, ENCODER_FIELDS, GEOMETRY_FIELDS } from './device-fields.ts';
import { DEVICE_WORDING } from './device-wording.ts';
import { followFormat, startWithUsualQuality } from './usual-quality.ts';
import { CONVERT_WORDING, describeLostFrames, isStill } from './wording.ts';

const known = new WeakMap<File, number>();

const OWN_FIELDS = [...GEOMETRY_FIELDS, ...ENCODER_FIELDS];

const DEVICE_FORMS = Object.entries({
  'Rotate and resize': GEOMETRY_FIELDS,
  'Encoder options': ENCODER_FIELDS,
});

export function ConvertTool({ fields }: { readonly fields: readonly Field[] }) {
  return (
    <ToolFrame
      operationId="media-convert-image"
      fields={startWithUsualQuality(fields.filter(({ name }) => Object.hasOwn(CONVERT_WORDING.fields, name)))}
      ownFields={OWN_FIELDS}
      wording={CONVERT_WORDING}
      handling={{ settingsFor: deviceSettings, isLive: true, adapt: followFormat }}
      stage={<ConvertStage />}
      notice={<StillNotice />}
      settings={
        <>
          <Comparison />
          <DeviceForms />
        </>
      }
    />
  );
}

function StillNotice() {
  const { values } = useRunSettings();
  const { items } = useRunFiles();
  return isStill(values) && <LostFramesNotice items={items} />;
}

/** Settings that only a run on this device has, folded until the visitor opens them. */
function DeviceForms() {
  const { location, values } = useRunSettings();
  const { isRunning } = useRunOutline();
  const { applyAndStart } = useRunActions();
  if (location === 'server') return null;
  return DEVICE_FORMS.map(([title, fields]) => (
    <FoldedForm
      key={title}
      title={title}
      fields={fields}
      wording={{ fields: DEVICE_WORDING }}
      values={values}
      disabled={isRunning}
      onChange={applyAndStart}
    />
  ));
}

/** Says before the run which frames a still format loses. */
function LostFramesNotice({ items }: { readonly items: readonly BatchItem[] }) {
  const frames = useFrameCounts(items.map(({ file }) => file));
  const animated = items.flatMap(({ file: { name, type } }, at) => {
    const count = frames[at] ?? 1;
    return count > 1 ? [{ name, mediaType: type, frames: count }] : [];
  });
  const words = describeLostFrames(animated, items.length);
  return words && <p className={styles.loss}>{words}</p>;
}

/** Counts the frames of files, one after another; undefined until counted. */
function useFrameCounts(files: readonly File[]): readonly (number | undefined)[] {
  const [, setCounted] = useState(0);
  const next = files.find((file) => !known.has(file));
  useEffect(() => {
    if (!next) return;
    countFrames(next)
      .catch(() => 1)
      .then((frames) => {
        known.set(next, frames);
        setCounted((before) => before + 1);
      });
  }, [next]);
  return files.map((file) => known.get(file));
}
