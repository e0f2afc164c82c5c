export { UPLOAD_BYTES_MAX, UPLOAD_HOURS } from './limits.ts';
export { receiveUpload } from './receive-upload.ts';
export {
  deleteUpload,
  findResumableUpload,
  type ResumableUpload,
  receivePart,
  startUpload,
} from './resumable-upload.ts';
export { consumeUpload, deleteExpiredUploads, findUpload } from './stored-uploads.ts';
export { partsUrl, readPartsToken, readUploadToken, uploadUrl } from './upload-url.ts';
