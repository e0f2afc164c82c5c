'use client';

import { Printer } from 'lucide-react';
import { useState } from 'react';
import { writePngMetadata } from '../../../../models/media/image/png/write-metadata.ts';
import type { CutoutEdits } from '../../../../models/operations/remove-bg/cutout-edits.ts';
import { useAbortOnUnmount } from '../../../ui/hooks.ts';
import { describeFailure } from '../../failures/describe-failure.ts';
import type { BatchItem } from '../../runs/batch.ts';
import { saveBlob } from '../../runs/results.ts';
import { isTransparent, WHITE } from '../backgrounds.ts';
import { exportPng } from '../export-cutout.ts';
import styles from './canvas-settings.module.css';
import { PRINT_SHEET, planSheet } from './print-sheet.ts';

interface PassportSheetProps {
  readonly item: BatchItem;
  readonly edits: CutoutEdits;
}

/** Colour of the marks: gray, so that what is left of one at a photo is hardly seen. */
const MARK_COLOUR = '#808080';

const PLAN = planSheet();

/** Saves a sheet with several copies of a passport photo, to print and cut. */
export function PassportSheet({ item, edits }: PassportSheetProps) {
  const leaving = useAbortOnUnmount();
  const [state, setState] = useState<'idle' | 'making' | { readonly failure: string }>('idle');
  const save = async () => {
    setState('making');
    const signal = leaving.begin();
    try {
      const sheet = await makeSheet(item, edits, signal);
      if (signal.aborted) return;
      saveBlob(sheet, `${item.file.name.replace(/\.[^.]+$/, '')}-passport-sheet.png`);
      setState('idle');
    } catch (error) {
      if (!signal.aborted) setState({ failure: describeFailure(error) });
    }
  };
  return (
    <div className={styles.sheet}>
      <button type="button" className="button" disabled={state === 'making'} onClick={() => void save()}>
        <Printer size={18} strokeWidth={1.5} aria-hidden />
        {state === 'making' ? 'Preparing sheet…' : 'Download a sheet to print'}
      </button>
      <p>
        {PLAN.photos.length} photos with cut marks on 10 x 15 cm, at {PRINT_SHEET.dpi} dpi.
      </p>
      {typeof state === 'object' && <p role="alert">{state.failure}</p>}
    </div>
  );
}

/** A transparent photo is printed on white. @throws OperationError as `exportPng` does */
async function makeSheet(item: BatchItem, edits: CutoutEdits, signal: AbortSignal): Promise<Blob> {
  const background = isTransparent(edits.background) ? WHITE : edits.background;
  const photo = await createImageBitmap(await exportPng(item, { ...edits, background }, signal));
  try {
    return await drawSheet(photo);
  } finally {
    photo.close();
  }
}

/** Draws a sheet of copies of a photo, with marks to cut at, as a PNG. */
export async function drawSheet(photo: ImageBitmap): Promise<Blob> {
  const { width, height, photos, marks } = PLAN;
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws no canvas.');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = 'high';
  for (const { left, top, ...size } of photos) context.drawImage(photo, left, top, size.width, size.height);
  context.fillStyle = MARK_COLOUR;
  for (const { left, top, ...size } of marks) context.fillRect(left, top, size.width, size.height);
  const { dpi } = PRINT_SHEET;
  const png = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer());
  return new Blob(writePngMetadata(png, { resolution: { x: dpi, y: dpi } }), { type: 'image/png' });
}
