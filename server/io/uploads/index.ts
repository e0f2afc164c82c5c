export { consumeUpload } from './consume-upload.ts';
export { deleteExpiredUploads } from './delete-expired-uploads.ts';
export { findUpload } from './find-upload.ts';
export { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from './limits.ts';
export { receiveUpload } from './receive-upload.ts';
export {
  deleteUpload,
  findResumableUpload,
  type ResumableUpload,
  receivePart,
  startUpload,
} from './resumable-upload.ts';
export { partsUrl, readPartsToken, readUploadToken, uploadUrl } from './upload-url.ts';
