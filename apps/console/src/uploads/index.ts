/** Uploads a file to a route of the contract as soon as it is chosen. */
export { FileUpload } from './FileUpload.tsx'
