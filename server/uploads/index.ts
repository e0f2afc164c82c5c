export { consumeUpload } from './consume.ts';
export { deleteExpiredUploads } from './delete-expired.ts';
export { findUpload } from './find.ts';
export {
  type Arrival,
  deleteUpload,
  findArrival,
  receivePart,
  startUpload,
} from './parts.ts';
export { receiveUpload } from './receive.ts';
export { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from './terms.ts';
export { partsUrl, tokenOfParts, uploadTokenOf, uploadUrl } from './url.ts';
