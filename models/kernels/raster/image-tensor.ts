import type { FloatImage } from '../../core/runtime/raster.ts';
import { floatsOf, floatTensor, type Tensor } from '../../core/runtime/tensor.ts';

/** Order of a tensor's dimensions: batch, channels, height, width, or with the channels last. */
export type ImageLayout = 'nchw' | 'nhwc';

/** One value per colour channel. */
export type PerChannel = readonly [red: number, green: number, blue: number];

/** Input format of a model. */
export interface ImageTensorOptions {
  readonly type: 'float32' | 'float16';
  readonly layout: ImageLayout;
  /** Subtracted from each channel, before the division. Defaults to zeros. */
  readonly mean?: PerChannel;
  /** Divisor of each channel. Defaults to ones. */
  readonly deviation?: PerChannel;
}

/**
 * Converts an image of three channels to a tensor of one image, `(value - mean) / deviation`.
 * @param image values in the range of the model's means, usually 0 to 1
 */
export function imageTensor(
  { width, height, data }: FloatImage,
  { type, layout, mean = [0, 0, 0], deviation = [1, 1, 1] }: ImageTensorOptions,
): Tensor {
  const [red, green, blue] = mean;
  const [redDeviation, greenDeviation, blueDeviation] = deviation;
  const values = new Float32Array(data.length);
  const [toChannel, step] = layout === 'nchw' ? [width * height, 1] : [1, 3];
  for (let from = 0, to = 0; from < data.length; from += 3, to += step) {
    values[to] = (data[from] - red) / redDeviation;
    values[to + toChannel] = (data[from + 1] - green) / greenDeviation;
    values[to + 2 * toChannel] = (data[from + 2] - blue) / blueDeviation;
  }
  return floatTensor(type, layout === 'nchw' ? [1, 3, height, width] : [1, height, width, 3], values);
}

/**
 * Converts a tensor of one image to an image.
 * @param channels of the image
 * @returns null when the tensor has another shape. Without a channel dimension, an image has one channel.
 */
export function imageOfTensor(tensor: Tensor, layout: ImageLayout, channels: number): FloatImage | null {
  const [batch, ...sizes] = tensor.dims;
  const [height, width] = layout === 'nchw' ? sizes.slice(-2) : sizes;
  if (batch !== 1 || !height || !width || tensor.data.length !== width * height * channels) return null;
  const values = floatsOf(tensor);
  return { width, height, channels, data: layout === 'nchw' ? interleaved(values, channels) : values };
}

/** Interleaves consecutive planes, sample by sample. */
function interleaved(planes: Float32Array<ArrayBuffer>, channels: number): Float32Array<ArrayBuffer> {
  if (channels === 1) return planes;
  const data = new Float32Array(planes.length);
  const count = planes.length / channels;
  for (let channel = 0, from = 0; channel < channels; channel++) {
    for (let to = channel; from < (channel + 1) * count; from++, to += channels) data[to] = planes[from];
  }
  return data;
}
