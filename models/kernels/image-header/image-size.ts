/** Samples across and down as they are stored: before any orientation is applied. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}
