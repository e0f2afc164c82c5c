'use client';

import { useEffect, useMemo, useState } from 'react';
import { countFrames } from '../../../models/media/image/read-contents.ts';
import { FoldedForm } from '../form/params-form.tsx';
import type { BatchItem } from '../runs/batch.ts';
import { useRunActions, useRunFiles, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field } from '../tools/fields.ts';
import { Comparison, ConvertStage } from './comparison.tsx';
import styles from './convert.module.css';
import {
  ENCODER_FIELDS,
  ENCODER_WORDING,
  followFormat,
  getEncoderSettings,
  startWithUsualQuality,
} from './encoder-options.ts';
import { followsSize, SHARE_FIELD } from './file-geometry.ts';
import { GeometrySettings } from './geometry-settings.tsx';
import { paramsFor } from './params-for.ts';
import { CONVERT_WORDING, describeLostFrames, isStill } from './wording.ts';

const known = new WeakMap<File, number>();

/** Fields that are shown first. */
const MAIN_FIELDS = ['to_format', 'quality', 'keep_metadata'];

const isMain = ({ name }: Field): boolean => MAIN_FIELDS.includes(name);

export function ConvertTool({ fields }: { readonly fields: readonly Field[] }) {
  const ownFields = useMemo(
    () => [...fields.filter((field) => !isMain(field)), SHARE_FIELD, ...ENCODER_FIELDS],
    [fields],
  );
  return (
    <ToolFrame
      operationId="media-convert-image"
      fields={startWithUsualQuality(fields.filter(isMain))}
      ownFields={ownFields}
      wording={CONVERT_WORDING}
      handling={{
        paramsFor: (file, values) => paramsFor(fields, file, values),
        followsSize,
        settingsFor: getEncoderSettings,
        isLive: true,
        adapt: followFormat,
      }}
      stage={<ConvertStage fields={fields} />}
      notice={<StillNotice />}
      settings={
        <>
          <Comparison fields={fields} />
          <GeometrySettings fields={fields} />
          <FileForms fields={fields} />
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

/** Settings of the file, folded until the visitor opens them. The encoders' own are of runs on this device only. */
function FileForms({ fields }: { readonly fields: readonly Field[] }) {
  const { location, values } = useRunSettings();
  const { isRunning } = useRunOutline();
  const { applyAndStart } = useRunActions();
  const pick = (...names: readonly string[]) => fields.filter(({ name }) => names.includes(name));
  const form = {
    wording: { fields: { ...CONVERT_WORDING.fields, ...ENCODER_WORDING } },
    values,
    disabled: isRunning,
    onChange: applyAndStart,
  };
  const encoderFields = [...pick('max_bytes'), ...(location === 'server' ? [] : ENCODER_FIELDS)];
  return (
    <>
      <FoldedForm title="Encoder options" fields={encoderFields} {...form} />
      <FoldedForm title="Name and print size" fields={pick('output_name', 'dpi')} {...form} />
    </>
  );
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
