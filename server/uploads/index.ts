export { deleteExpiredUploads } from './delete-expired.ts';
export { findUpload } from './find.ts';
export { receiveUpload } from './receive.ts';
export { takeUpload } from './take.ts';
export { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from './terms.ts';
export { uploadTokenOf, uploadUrl } from './url.ts';
