/**
 * The clients of object stores, which many regions never use. They are loaded at their first use instead of at the
 * start, which saves the others the time and the memory.
 */
import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

export const s3 = () => load('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3')
export const s3Uploads = () => load('@aws-sdk/lib-storage') as typeof import('@aws-sdk/lib-storage')
