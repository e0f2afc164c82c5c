/** Coarse form of a cutout, which a page shows until the result is there. */
export interface Draft {
  /** Size in pixels, over the whole image, possibly not in its shape. */
  readonly width: number;
  readonly height: number;
  /** Opacity of each pixel, row by row, 0 to 255. */
  readonly opacity: Uint8Array<ArrayBuffer>;
}

export type ReportDraft = (draft: Draft) => void;
