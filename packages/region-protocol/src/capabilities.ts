/**
 * What a region may lack. `GET status` names what it has, and the console uses nothing else: it never tries a call to
 * find out. Names that this console does not know are ignored.
 */
import { z } from 'zod'
import { atMost } from './bounds.ts'

export const capabilities = [
  /** `GET` and `PUT rooms/{name}/console-record`. */
  'consoleRecord',
  /** `DELETE files/{id}`. Without it, files go by themselves when they have not been used for long. */
  'deleteFile',
  /** `digest: true` in the jobs `backupRoom` and `restoreRoom`. */
  'digest',
  /** `GET jobs/{id}/file`. */
  'jobFile',
  /** The job `purgeRoom`. */
  'purgeRoom',
  /** `PUT fences`. */
  'raiseFences',
  /** `POST files/{id}/tickets`, and uploads with such a ticket. */
  'receiveBackup',
  /** The jobs `replaceRoom` and `putBackRoom`. */
  'replaceRoom',
  /** `GET routes`. */
  'routes',
  /** `to` in the job `backupRoom`. */
  'sendBackup',
  /** The job `verifyBackup`. */
  'verifyBackup',
] as const
export type Capability = (typeof capabilities)[number]

/** In the status of a region. */
export const toldCapabilities = z
  .array(z.string())
  .max(atMost.capabilities)
  .default([])
  .transform((told) => capabilities.filter((each) => told.includes(each)))
