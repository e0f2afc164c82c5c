'use client';

import type { BatchItem } from '../frame/batch.ts';
import type { Field } from '../frame/fields.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { mediaKind } from '../media-kind.ts';
import { TOOLS } from '../tools.ts';
import { isTransparent } from './backgrounds.ts';
import { BehindChoice } from './behind-choice.tsx';
import { CutoutStage } from './cutout-stage.tsx';
import { FindingChoice } from './finding-choice.tsx';
import { finishedResult, finishedVideo } from './finished.ts';
import { FormatChoice } from './format-choice.tsx';
import { FILLED_VIDEO_FORMATS, PICTURE_FORMATS, TRANSPARENT_VIDEO_FORMATS } from './formats.ts';
import { useLooks } from './use-looks.ts';
import { VideoStage } from './video-stage.tsx';
import { REMOVE_BG_WORDING } from './wording.ts';

interface RemoveBgToolProps {
  readonly fields: readonly Field[];
}

const { slug: SLUG } = TOOLS['remove-bg'];
const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/**
 * Cutouts are always made transparent, those of pictures without loss; background, format and retouching are laid over
 * them on the page, and into the file when it is taken.
 */
export function RemoveBgTool({ fields }: RemoveBgToolProps) {
  const looks = useLooks();
  const videoFormats = isTransparent(looks.behind) ? TRANSPARENT_VIDEO_FORMATS : FILLED_VIDEO_FORMATS;
  const isForVideo = (selected: BatchItem | undefined) => selected !== undefined && isVideo(selected.file);
  return (
    <ToolFrame
      operationId="remove-bg"
      fields={fields}
      wording={REMOVE_BG_WORDING}
      summary={(selected) => {
        const words = isForVideo(selected) ? videoFormats[looks.videoFormat] : PICTURE_FORMATS[looks.format];
        return selected ? `Background · ${words.name}` : 'Background';
      }}
      startsAtOnce={(file) => !isVideo(file)}
      paramsFor={(file, values) => (isVideo(file) ? { ...values, output_format: 'webm' } : values)}
      finish={async (item, options) =>
        isVideo(item.file)
          ? finishedVideo(item, { behind: looks.behind, format: looks.videoFormat }, options)
          : finishedResult(item, looks.lookOf(item.id), options.signal)
      }
      stage={(item, work) => {
        const Stage = isVideo(item.file) ? VideoStage : CutoutStage;
        return (
          <Stage
            key={item.id}
            item={item}
            slug={SLUG}
            looks={looks}
            onEngine={(engine) => work.again(item.id, { engine })}
          />
        );
      }}
      settings={(selected, work) => (
        <>
          <BehindChoice behind={looks.behind} onBehind={looks.setBehind} />
          {selected &&
            (isForVideo(selected) ? (
              <FormatChoice
                formats={videoFormats}
                format={looks.videoFormat}
                onFormat={looks.setVideoFormat}
              />
            ) : (
              <FormatChoice formats={PICTURE_FORMATS} format={looks.format} onFormat={looks.setFormat} />
            ))}
          <FindingChoice work={work} />
        </>
      )}
    />
  );
}
