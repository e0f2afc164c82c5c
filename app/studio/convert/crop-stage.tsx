'use client';

import { useEffect, useState } from 'react';
import type { ImageSize, PixelRegion } from '../../../models/core/runtime/raster.ts';
import { useLatest } from '../../ui/hooks.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import { useOpenedImage } from '../files/use-viewable.ts';
import { useRunActions, useRunOutline, useRunSettings } from '../runs/runs-context.ts';
import type { ShownFile } from '../runs/shown-files.ts';
import { FactsRow, useFacts } from '../stage/facts.tsx';
import { RegionSelect } from '../stage/region-select.tsx';
import styles from '../stage/stage.module.css';
import { StagePicture } from '../stage/stage-picture.tsx';
import { StagePlane } from '../stage/stage-plane.tsx';
import { StageWell } from '../stage/stage-well.tsx';
import { Waiting } from '../stage/waiting.tsx';
import { cropOf, cropValue } from './file-geometry.ts';

/** Pause after the last move of the crop, before the image is converted again. */
const PAUSE_MS = 200;

interface CropStageProps extends ShownFile {
  readonly slug: string;
  readonly shape: number | undefined;
  readonly onDone: () => void;
}

/** Shows the original with the part of it that stays. */
export function CropStage({ item, slug, renewal, shape, onDone }: CropStageProps) {
  const { file } = item;
  const image = useFacts<ImageSize>(file, probeImageFile);
  const { url, progress } = useOpenedImage(file);
  const { isRunning } = useRunOutline();
  const { region, setRegion } = useCrop(image, shape);
  return (
    <div className={styles.stage}>
      <StagePicture item={item} slug={slug} renewal={renewal}>
        <StageWell
          key={item.id}
          image={image}
          phase="waiting"
          isTransparent={false}
          label="Crop of the image"
          hasHandles
        >
          {url ? (
            <StagePlane>
              <img src={url} alt={`${file.name}, original`} draggable={false} />
            </StagePlane>
          ) : (
            <Waiting words={`Opening ${file.name}`} progress={progress} image={file} />
          )}
          {image && region && (
            <RegionSelect
              name="Crop"
              image={image}
              region={region}
              shape={shape}
              disabled={isRunning}
              onRegion={setRegion}
            />
          )}
        </StageWell>
      </StagePicture>
      <FactsRow item={item}>
        <button type="button" className="button" onClick={onDone}>
          Done cropping
        </button>
      </FactsRow>
    </div>
  );
}

/** Returns the crop as it is drawn; the settings get it after a pause. Without one it is the whole image. */
function useCrop(image: ImageSize | undefined, shape: number | undefined) {
  const { values } = useRunSettings();
  const { change } = useRunActions();
  const [drawn, setRegion] = useState<PixelRegion>();
  const value = drawn && image && cropValue(drawn, image, shape);
  const getValue = useLatest(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the value is a new object at each rendering
  useEffect(() => {
    if (!value) return;
    const pause = setTimeout(() => {
      change({ crop: value });
      setRegion(undefined);
    }, PAUSE_MS);
    return () => clearTimeout(pause);
  }, [drawn, change]);
  // Who is done within the pause has drawn it all the same.
  useEffect(
    () => () => {
      const left = getValue();
      if (left) change({ crop: left });
    },
    [change, getValue],
  );
  const whole = image && { left: 0, top: 0, width: image.width, height: image.height };
  return { region: drawn ?? (image && cropOf(values.crop, image)) ?? whole, setRegion };
}
