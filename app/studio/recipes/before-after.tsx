'use client';

import { Printer } from 'lucide-react';
import { useState } from 'react';
import type { OutputFile } from '../../../models/core/operation/run-result.ts';
import type { ImageSize } from '../../../models/core/runtime/raster.ts';
import { useAbortOnUnmount, useObjectUrl } from '../../ui/hooks.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { probeImageFile } from '../files/open-bitmap.ts';
import { useViewable } from '../files/use-viewable.ts';
import { drawSheet } from '../remove-bg/stage/passport-sheet.tsx';
import { PASSPORT_PHOTO } from '../remove-bg/stage/print-sheet.ts';
import { saveBlob } from '../runs/results.ts';
import { useFacts } from '../stage/facts.tsx';
import styles from './recipes.module.css';

interface BeforeAfterProps {
  readonly before: Blob;
  readonly files: readonly OutputFile[];
  readonly failure: string | undefined;
}

/** Shows what a step reads next to what it makes. */
export function BeforeAfter({ before, files, failure }: BeforeAfterProps) {
  const [first] = files;
  return (
    <div className={styles.compare}>
      <Shown title="Before" blob={before} />
      {first ? (
        <div className={styles.results}>
          {files.map((file) => (
            <Shown key={file.name} title={files.length > 1 ? file.name : 'After'} blob={file.blob} />
          ))}
          {files.length === 1 && <PrintSheet photo={first.blob} />}
        </div>
      ) : (
        <p className={failure ? styles.failure : 'note'}>{failure ?? 'The result appears here.'}</p>
      )}
    </div>
  );
}

function Shown({ title, blob }: { readonly title: string; readonly blob: Blob }) {
  const isImage = blob.type.startsWith('image/');
  const url = useViewable(isImage ? blob : undefined);
  const media = useObjectUrl(/^(audio|video)\//.test(blob.type) ? blob : undefined);
  const size = useFacts<ImageSize>(isImage ? blob : undefined, probeImageFile);
  return (
    <figure className={styles.shown}>
      <div className={styles.frame}>
        {url && <img src={url} alt={title} draggable={false} />}
        {media && blob.type.startsWith('audio/') && (
          // biome-ignore lint/a11y/useMediaCaption: it is the visitor's own recording
          <audio controls src={media} aria-label={title} />
        )}
        {media && blob.type.startsWith('video/') && (
          // biome-ignore lint/a11y/useMediaCaption: it is the visitor's own video
          <video controls src={media} aria-label={title} />
        )}
      </div>
      <figcaption>
        {title}
        {size && <span className="facts"> {`${size.width} × ${size.height}`}</span>}
      </figcaption>
    </figure>
  );
}

/** Reports whether an image has the shape of a passport photo. */
function isPassportShape({ width, height }: ImageSize): boolean {
  return Math.abs(width / height - PASSPORT_PHOTO.width / PASSPORT_PHOTO.height) < 0.005;
}

/** Saves a sheet of passport photos for photo paper. Absent for images of another shape. */
function PrintSheet({ photo }: { readonly photo: Blob }) {
  const size = useFacts<ImageSize>(photo.type.startsWith('image/') ? photo : undefined, probeImageFile);
  const leaving = useAbortOnUnmount();
  const [problem, setProblem] = useState<string>();
  if (!size || !isPassportShape(size)) return null;
  const save = async () => {
    const signal = leaving.begin();
    setProblem(undefined);
    try {
      const bitmap = await createImageBitmap(photo);
      const sheet = await drawSheet(bitmap).finally(() => bitmap.close());
      if (!signal.aborted) saveBlob(sheet, 'passport-sheet.png');
    } catch (thrown) {
      if (!signal.aborted) setProblem(describeFailure(thrown));
    }
  };
  return (
    <>
      <button type="button" className="button" onClick={() => void save()}>
        <Printer size={20} strokeWidth={1.5} aria-hidden />
        Save the sheet to print
      </button>
      <p className="note">Photo paper of 10 x 15 cm, with marks to cut at.</p>
      {problem && <p role="alert">{problem}</p>}
    </>
  );
}
