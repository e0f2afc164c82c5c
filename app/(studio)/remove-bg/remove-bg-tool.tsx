'use client';

import type { Field } from '../frame/fields.ts';
import { resultsOf } from '../frame/results.ts';
import { ToolFrame } from '../frame/tool-frame.tsx';
import { mediaKind } from '../media-kind.ts';
import { TOOLS } from '../tools.ts';
import { BehindChoice } from './behind-choice.tsx';
import { CutoutStage } from './cutout-stage.tsx';
import { FindingChoice } from './finding-choice.tsx';
import { finishedResult } from './finished.ts';
import { FORMAT_NAMES, FormatChoice } from './format-choice.tsx';
import { useLooks } from './use-looks.ts';
import { VIDEO_FORMAT_NAMES, VideoSettings } from './video-settings.tsx';
import { VideoStage } from './video-stage.tsx';
import { REMOVE_BG_WORDING } from './wording.ts';

interface RemoveBgToolProps {
  readonly fields: readonly Field[];
}

const { slug: SLUG } = TOOLS['remove-bg'];
const isVideo = (file: File): boolean => mediaKind(file) === 'video';

/**
 * Cutouts of pictures are always made transparent and without loss; background, format and retouching are laid over them
 * on the page, and into the file when it is taken. For videos all is chosen before the run.
 */
export function RemoveBgTool({ fields }: RemoveBgToolProps) {
  const looks = useLooks();
  return (
    <ToolFrame
      operationId="remove-bg"
      fields={fields}
      wording={REMOVE_BG_WORDING}
      summary={(selected) => {
        const isForVideo = selected !== undefined && isVideo(selected.file);
        return `Background · ${isForVideo ? VIDEO_FORMAT_NAMES[looks.video.format] : FORMAT_NAMES[looks.format]}`;
      }}
      startsAtOnce={(file) => !isVideo(file)}
      paramsFor={(file, values) =>
        isVideo(file)
          ? { ...values, output_format: looks.video.format, background: looks.video.background }
          : values
      }
      finish={async (item) =>
        isVideo(item.file) ? resultsOf(item) : finishedResult(item, looks.lookOf(item.id))
      }
      stage={(item, work) =>
        isVideo(item.file) ? (
          <VideoStage key={item.id} item={item} slug={SLUG} />
        ) : (
          <CutoutStage
            key={item.id}
            item={item}
            slug={SLUG}
            looks={looks}
            onEngine={(engine) => work.changeAndStart({ ...work.values, engine })}
          />
        )
      }
      settings={(selected, work) => (
        <>
          {isVideo(selected.file) ? (
            <VideoSettings
              look={looks.video}
              disabled={work.isRunning}
              onLook={(look) => {
                looks.setVideo(look);
                work.reset(isVideo);
              }}
            />
          ) : (
            <>
              <BehindChoice behind={looks.behind} onBehind={looks.setBehind} />
              <FormatChoice format={looks.format} onFormat={looks.setFormat} />
            </>
          )}
          <FindingChoice work={work} />
        </>
      )}
    />
  );
}
