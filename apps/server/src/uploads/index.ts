/**
 * Uploads: files that operators send before they start an operation with them. An upload is waiting, taken, kept for a
 * retry, or gone (stored-upload.ts). Start at upload-routes.ts; accept-upload.ts checks the files.
 */
export {
  findUpload,
  keepUploadForRetry,
  releaseUpload,
  removeOrphanedUploads,
  takeUpload,
  takeUploadAgain,
  tidyUploads,
} from './stored-upload.ts'
export { uploadHandlers } from './upload-routes.ts'
