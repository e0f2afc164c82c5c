'use client';

import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import {
  enlargedPixels,
  OUTPUT_PIXELS_MAX,
  OUTPUT_SIDE_MAX,
  outputSize,
  SCALES,
  type Scale,
} from '../../../models/operations/upscale/plan-passes.ts';
import { formatNumber } from '../../ui/quantities.ts';
import { getImageSize, useImageSizes } from '../files/image-sizes.ts';
import { mediaKind } from '../files/media-kind.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import choices from '../form/choice-field.module.css';
import { FormatChoice } from '../form/format-choice.tsx';
import { ModelPicker } from '../form/model-picker.tsx';
import form from '../form/params-form.module.css';
import { useRunActions, useRunOutline, useRunSettings, useShownFile } from '../runs/runs-context.ts';
import { useFacts } from '../stage/facts.tsx';
import { ToolFrame } from '../tool-frame/tool-frame.tsx';
import type { Field, ParamValues } from '../tools/fields.ts';
import type { Wording } from '../tools/wording.ts';
import { Estimate, type PixelTimings, probeVideo, timingKey } from './estimate.tsx';
import styles from './settings.module.css';
import { TargetSize } from './target-size.tsx';
import {
  describePrint,
  getTexts,
  IMAGE_FORMATS,
  imageParams,
  modelsFor,
  PRINT_DPI,
  type UpscaleValues,
  VIDEO_FORMAT_FIELD,
  VIDEO_FORMATS,
} from './upscalers.ts';

interface ScaleChoiceProps {
  readonly scales: readonly number[];
  readonly scale: number;
  /** Size of the result in words; undefined until it is known. */
  readonly result: string | undefined;
  /** Size of the selected file; undefined without one, and until it is known. */
  readonly size: ImageSize | undefined;
  readonly isVideo: boolean;
  readonly disabled: boolean;
  readonly onScale: (scale: number) => void;
  /** Fields for a size that is no factor. */
  readonly children: ReactNode;
}

const NOTHING = new Blob();

const NO_FILE = new File([], '');

const UPSCALE_WORDING: Wording = {
  lead: 'Preview any spot, then upscale it all.',
  verb: 'Upscale',
  // The page has its own fields, which know the size of the file.
  fields: {},
};

// Loaded with the first file of their kind.
const UpscaleStage = lazy(async () => ({ default: (await import('./upscale-stage.tsx')).UpscaleStage }));

const VideoStage = lazy(async () => ({ default: (await import('./video-stage.tsx')).VideoStage }));

const OWN_FIELDS = [VIDEO_FORMAT_FIELD];

const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/** Page of the upscaler: what it does is seen under the loupe, and in a region, before the whole is computed. */
export function UpscaleTool({ fields }: { readonly fields: readonly Field[] }) {
  const [timing, setTiming] = useState<PixelTimings>(new Map());
  const recordTiming = (key: string, seconds: number) =>
    setTiming((before) => (before.get(key) === seconds ? before : new Map(before).set(key, seconds)));
  return (
    <ToolFrame
      operationId="upscale"
      fields={fields}
      ownFields={OWN_FIELDS}
      wording={UPSCALE_WORDING}
      summary={({ scale, width, model }) =>
        `${width === undefined ? `${scale}×` : `${width} px`} · ${getTexts(String(model)).name}`
      }
      handling={{ followsSize: ({ width }) => width !== undefined, paramsFor }}
      stage={<SelectedFile onTiming={recordTiming} />}
      settings={<UpscaleSettings />}
      notice={<Estimate timing={timing} paramsFor={paramsFor} />}
    />
  );
}

interface SelectedFileProps {
  /** Called with the seconds for each pixel that the settings of a key took. */
  readonly onTiming: (key: string, seconds: number) => void;
}

function SelectedFile({ onTiming }: SelectedFileProps) {
  const shown = useShownFile();
  const { values } = useRunSettings();
  useImageSizes();
  if (!shown) return null;
  const { id, file } = shown.item;
  const Stage = isVideo(file) ? VideoStage : UpscaleStage;
  const params = paramsFor(file, values);
  return (
    <Suspense>
      <Stage
        key={id}
        shown={shown}
        params={params}
        onTiming={(seconds) => onTiming(timingKey(params, isVideo(file)), seconds)}
      />
    </Suspense>
  );
}

function paramsFor(file: File, values: ParamValues): UpscaleValues {
  const { model, scale, width, video_format } = values;
  if (isVideo(file)) return { model, scale: scale as Scale, output_format: video_format };
  return imageParams(values, width === undefined ? undefined : getImageSize(file));
}

/** Settings of the upscaler. A change keeps the results until the files run again. */
function UpscaleSettings() {
  const { values } = useRunSettings();
  const { selected, isRunning } = useRunOutline();
  const { change } = useRunActions();
  const isVideo = selected !== undefined && mediaKind(selected.file) === 'video';
  useImageSizes();
  const chosen = paramsFor(selected?.file ?? NO_FILE, values);
  const size = useFacts<ImageSize>(selected?.file ?? NOTHING, isVideo ? probeVideo : probeImageFile);
  return (
    <>
      <ScaleChoice
        scales={SCALES}
        scale={chosen.scale}
        result={size && describeTarget(size, chosen, isVideo)}
        size={size}
        isVideo={isVideo}
        disabled={isRunning}
        onScale={(scale) => change({ scale, width: undefined })}
      >
        {size && !isVideo && (
          <TargetSize
            width={outputSize(size, chosen).width}
            dpi={typeof values.dpi === 'number' ? values.dpi : undefined}
            onChange={change}
          />
        )}
      </ScaleChoice>
      {isVideo ? (
        <FormatChoice
          formats={VIDEO_FORMATS}
          format={values.video_format as keyof typeof VIDEO_FORMATS}
          disabled={isRunning}
          onFormat={(video_format) => change({ video_format })}
        />
      ) : (
        <FormatChoice
          formats={IMAGE_FORMATS}
          format={values.output_format as keyof typeof IMAGE_FORMATS}
          disabled={isRunning}
          onFormat={(output_format) => change({ output_format })}
        />
      )}
      <ModelPicker
        name="model"
        models={modelsFor(chosen.scale, isVideo)}
        value={String(values.model)}
        disabled={isRunning}
        onChoose={(model) => change({ model })}
      />
    </>
  );
}

/**
 * Chooses the factor, and says how large the result becomes. Factors beyond the limits cannot be chosen, with the
 * reason.
 */
function ScaleChoice(props: ScaleChoiceProps) {
  const { scales, scale, result, size, isVideo, disabled, onScale, children } = props;
  const unfits = scales.flatMap((each) => {
    const unfit = size && unfitReason(size, each, isVideo);
    return unfit ? [{ scale: each, reason: unfit }] : [];
  });
  return (
    <fieldset className={form.field} disabled={disabled} aria-describedby={size && 'scale-means'}>
      <legend className={form.label}>Size</legend>
      <div className={choices.choices} data-few>
        {scales.map((each) => (
          <label key={each} className={`${choices.choice} ${styles.scale}`}>
            <input
              type="radio"
              className="visually-hidden"
              name="scale"
              value={each}
              checked={each === scale}
              disabled={each !== scale && unfits.some(({ scale }) => scale === each)}
              onChange={() => onScale(each)}
              // The factor of a width that was typed is chosen already: a press makes it exact.
              onClick={() => each === scale && onScale(each)}
            />
            <span>{each}×</span>
          </label>
        ))}
      </div>
      {children}
      {size && (
        <p id="scale-means" className={form.explanation}>
          {result}
          {unfits.map((each) => (
            <span key={each.scale} className={styles.unfit}>
              {each.reason}
            </span>
          ))}
        </p>
      )}
    </fieldset>
  );
}

function describeTarget(size: ImageSize, params: UpscaleValues, isVideo: boolean): string {
  const made = outputSize(size, params);
  const print = isVideo ? '' : `, ${describePrint(made, Number(params.dpi ?? PRINT_DPI))}`;
  return `${formatNumber(made.width)} × ${formatNumber(made.height)} px (${megapixels(made, 1)} MP)${print}`;
}

function unfitReason(size: ImageSize, scale: number, isVideo: boolean): string | undefined {
  if (isVideo) {
    const side = Math.max(size.width, size.height) * scale;
    return side > OUTPUT_SIDE_MAX
      ? `${scale}× is too large: a video has at most ${formatNumber(OUTPUT_SIDE_MAX)} px a side.`
      : undefined;
  }
  return enlargedPixels(size, scale) > OUTPUT_PIXELS_MAX
    ? `${scale}× is too large: ${megapixels(size, scale)} of at most ${OUTPUT_PIXELS_MAX / 1e6} MP.`
    : undefined;
}

function megapixels(size: ImageSize, scale: number): string {
  const count = enlargedPixels(size, scale) / 1e6;
  if (count < 0.095) return count.toPrecision(1);
  return count < 99.95 ? count.toFixed(1) : formatNumber(Math.ceil(count));
}
