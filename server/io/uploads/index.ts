export { UPLOAD_BYTES_MAX, UPLOAD_HOURS, type UploadRow } from './limits.ts';
export { receiveUpload } from './receive-upload.ts';
export { deleteUpload, findResumableUpload, receivePart, startUpload } from './resumable-upload.ts';
export {
  deleteExpiredUploads,
  findHashes,
  findUpload,
  findUploadKeys,
  listUploads,
  removeUpload,
  type Upload,
  type UploadOwner,
} from './stored-uploads.ts';
export { partsUrl, readPartsToken, readUploadToken, uploadUrl } from './upload-url.ts';
