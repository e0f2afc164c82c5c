import type { Media } from '../core/operation/inputs.ts';
import { writeWavHeader } from '../media/audio/write-audio.ts';

/** Files in base64 that stand for the input of a forced outcome. */

/** PNG of 256 x 192 pixels. */
const STAND_IN_PNG = [
  'iVBORw0KGgoAAAANSUhEUgAAAQAAAADAAQMAAADRIy8lAAAAA1BMVEVaepoDW32aAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAHUlEQVRYhe3BMQ',
  'EAAADCoPVPbQ0PoAAAAAAAAL4MGMAAATFbLWkAAAAASUVORK5CYII=',
].join('');

/** WebM of half a second, without audio: `lab/fixtures/make-videos.ts` makes it. */
const STAND_IN_WEBM = [
  'GkXfoxAAAB9ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwQAAAAHBRFNm3QQAAA/TbsQAAAPU6uEFUmpZlOshQAAAABHTbsQAA',
  'APU6uEFlSua1OshQAAAACLTbsQAAAPU6uEHFO7a1OshQAAAAbqFUmpZhAAADwq17GDD0JATYCSTWVkaWFidW5ueSB2MS42MS4wV0GSTWVkaWFi',
  'dW5ueSB2MS42MS4wRImIQH4AAAAAAAAWVK5rEAAAVK4QAABP14EBc8WBAYOBAZyBACK1nIN1bmSGhVZfVlA5Y6KMAQEAAgEzAwEIBAEB4BAAAC',
  'CwgUC6gTBTwIEBVbAQAAAQVbGBAVW6gQFVu4EBVbmBAR9DtnUIAAAF+ueBAKAQAAGMoRAAARWBAAAAgkmDQkAD8AL2CDgkHBgiAAAwYAAAbFv/',
  '/iyzfh66BP/3mW/TF5lgy+NgrIbUwVH3qV5HwAAAAAAE23////5+rjr/jN/z795uiQflP////mxli8qCw/6o/gNgQaVknt5dH/p/ikJBvhOW8S',
  'RCA/gajX9AcFLuAkXAAB2UABsT9K/+dcaVR/7wTQnrx76kGhJ///lSEX7pCU/3V/o1GPYfimQsAa3/5xf2nOI4nXIfnt//4r+XMxkP//0CuZ0W',
  '0vC2tzSXAAADsmT4Bmz/SJpFd36v+DKxdjkIUKzcDMqQAAAAAEaP/g5M4ru/csf8GNoHInVSmQAAAAAAAHBSgAAAAGbP/Tkn9l4zHgm/q1JSkY',
  'qAdaEQAABpphAAAGTugQGl34JJg0JAA/AC9gA4JBwYIgAAMGAAAHi5///DoXiSmX9/cEvJSQ5B60r/+25HK6588boIbpsq3Qkxvq+v/3T36NuM',
  'vnDA79YkrfEBZ//9yx+l8eA5wQO9YG5eF7QGbDJAm4EooBAAAFmhEAAALIEAKACGAECSnBBLAAADYAAAdZv/0YH75vV2X/8P3Iga0opAgU4L+A',
  'UBYBAA+4HYdaEQAAAcphAAABfugQGlkoYAQJKcAEsAAANgAAB6PJLAAJuBKKAQAABboRAAAC6BAFAAhgBAkpwQSUAAA2AAAHWb//UXP/uLygP/',
  'Q55ci5fRqH0PBYKYzSfP+8aA+4HYdaEQAAAcphAAABfugQGlkoYAQJKcAElAAANgAAB6PJLAAJuBKKAQAABaoRAAAC2BAHgAhgBAkpwQSwAAA2',
  'AAAHWb/7tDwdKGWdZ/siNoOr4sD2BPG6lJX7CIQAD7gdh1oRAAABymEAAAF+6BAaWShgBAkpwASwAAA2AAAHo8ksAAm4EooBAAAGehEAAAOoEA',
  'oACGAECSnBBHgAADYAAAdZv/+2R02V/go5/u9sP/rGvcYusq2XOLlYcwKdov4JtXTo+EF0OpAAD7gdh1oRAAABymEAAAF+6BAaWShgBAkpwAR4',
  'AAA2AAAHo8ksAAm4EooBAAAFihEAAAK4EAyACGAECSnBBLAAADYAAAdqH1+ZxdxDMbn1JmMC2CsfGvf4shvc6d4AD7gdh1oRAAABymEAAAF+6B',
  'AaWShgBAkpwASwAAA2AAAHo8ksAAm4EooBAAAF2hEAAAMIEA8ACGAECSnBBJQAADYAAAc/4v6YijM0ql/58wZJgf3iQbup4qFcl2oV9m4hoYAP',
  'uB2HWhEAAAHKYQAAAX7oEBpZKGAECSnABJQAADYAAAejySwACbgSigEAAAV6EQAAAqgQEYAIYAQJKcEEsAAANgAAB1eMnMU1/FtEP/Bgp2f0C4',
  'XYlgXmMMRUQA+4HYdaEQAAAcphAAABfugQGlkoYAQJKcAEsAAANgAAB6PJLAAJuBKKAQAACSoRAAAGWBAUAAhgBAkpwQRSAAA2AAAHWa4BokwU',
  '1OAP/503lj/n2ab7wLr2/nEw7E33QH9yHnHgHudzkNoDOb87Lx9vfOyH4tYInR85s4QxpUkjjpzK7SVTJ3dPyNrH3zSJjT+9e0+H9QYPuB2HWh',
  'EAAAHKYQAAAX7oEBpZKGAECSnABFIAADYAAAejySwACbgSigEAAAUKEQAAAjgQFoAIYAQJKcEEsAAANgAAB1mrZIvaRTjOuHwMczNB2LQyD7gd',
  'h1oRAAABymEAAAF+6BAaWShgBAkpwASwAAA2AAAHo8ksAAm4EooBAAAHmhEAAATIEBkACGAMCSnAxFIAADYAAAdZvt6D/p9aTv/olUHtwYof9G',
  'D//fH317uHlQc6jFD/IpN1hifDW5UvjJOZFiY6nCdUDy2C6lJwPKXgD7gdh1oRAAABymEAAAF+6BAaWShgDAkpwARSAAA2AAAHo8ksAAm4EooB',
  'AAAFOhEAAAJoEBuACGAECSnAxLAAADYAAAdZt4vO/51YqdS8G5fXaFECNwu8QA+4HYdaEQAAAcphAAABfugQGlkoYAQJKcAEsAAANgAAB6PJLA',
  'AJuBKBxTu2sQAAATuxAAAA6zgQC3EAAABveBAfGB5w==',
].join('');

const SAMPLE_RATE = 8_000;

const SECONDS = 2;

/** Returns a small file of the first of these kinds: the input of a request whose address forces its outcome. */
export function standInFor([first]: readonly Media[]): Uint8Array<ArrayBuffer> {
  switch (first) {
    case 'audio':
      return silentWav();
    case 'video':
      return decode(STAND_IN_WEBM);
    default:
      return decode(STAND_IN_PNG);
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function silentWav(): Uint8Array<ArrayBuffer> {
  const dataBytes = SAMPLE_RATE * SECONDS * 2;
  const head = writeWavHeader({ sampleRate: SAMPLE_RATE, channelCount: 1 }, dataBytes);
  const bytes = new Uint8Array(head.length + dataBytes);
  bytes.set(head);
  return bytes;
}
