import { OperationError } from '../../../core/operation/errors.ts';

/** Formats that are not read, by their first bytes. */
const FORMATS: readonly (readonly [name: string, ...marks: string[]])[] = [
  ['a TAK file', 'tBaK'],
  ['a Musepack file', 'MPCK', 'MP+'],
  ['an OptimFROG file', 'OFR '],
  ['a Shorten file', 'ajkg'],
  ['a RealMedia file', '.RMF', '.ra\xfd'],
  ['a Creative Voice file', 'Creative Voice File'],
  ['a DSD file', 'DSD ', 'FRM8'],
  ['an MXF file', '\x06\x0e\x2b\x34'],
  ['AAC in a LOAS stream', '\x56\xe0', '\x56\xe1', '\x56\xe2', '\x56\xe3'],
  ['an AMR file of several channels', '#!AMR_MC', '#!AMR-WB_MC'],
  ['a MIDI file', 'MThd'],
  ['a Silk file', '#!SILK', '\x02#!SILK'],
  ['an HLS playlist', '#EXTM3U', '\xef\xbb\xbf#EXTM3U'],
  ['a PDF document', '%PDF'],
  ['a ZIP archive', 'PK\x03\x04'],
  ['a web page', '<!DOCTYPE', '<!doctype', '<html', '<HTML'],
];
const MARK_BYTES = 64;

/** Creates the error for a file that is of no format that is read; it names the format where it can be told. */
export function unknownFormat(head: Uint8Array): OperationError {
  const text = String.fromCharCode(...head.subarray(0, MARK_BYTES));
  const [name] = FORMATS.find(([, ...marks]) => marks.some((mark) => text.startsWith(mark))) ?? [];
  const fault = name
    ? `The file is ${name}, which is not supported.`
    : 'The file is of no known audio or video format.';
  return new OperationError('bad_request', `${fault} Send an MP3, WAV, FLAC, M4A, OGG, WebM or MP4 file.`, {
    kind: 'unknown_format',
  });
}
