/** Regions that deal with an object store wrong. */
import { after, believing, cancelledInWords, ended, failedJob, refusal, telling } from './faults.ts'
import { emptyDatabases } from './rooms-on-disk.ts'
import type { Json, WrongRegion } from './wrong-region.ts'

const writes = 'a backup to an object store that fails, or keeps something else, is no success'
const reads = 'a restore from an object store that fails, or gives something else, leaves the room as it was'
const whole = 'a backup arrives in an object store as a whole, by signed requests, and the job shows no secret'
const failing = (type: string, change: (job: Json) => unknown) =>
  telling(type, (job) => (job.state === 'failed' ? change(job) : undefined))
const verified = { files: 2, bytes: 1, databases: ['main'], digest: '0'.repeat(64) }

export const wrongStores: WrongRegion[] = [
  {
    name: 'no-store',
    does: 'There is no object store: each job with one fails with 503.',
    caughtBy: { [whole]: 'a job ended with 503' },
    faults: {
      startJob: async (call) => {
        const input = await call.json()
        const unreachable = failedJob(call, input, refusal(503, 'object-store-unreachable'))
        return input.type === 'backupToObjectStore' ? unreachable : null
      },
    },
  },
  {
    name: 'store-of-its-own',
    does: 'Backups go to another key of the bucket than the one that was asked for.',
    losesData: true,
    caughtBy: { [whole]: 'the result' },
    faults: {
      startJob: async (call) => {
        const job = await call.json()
        if (job.type !== 'backupToObjectStore') return null
        const { target } = job
        const answer = await ended(call, { ...job, target: { ...target, key: `backups/${target.key}` } })
        if (answer.json.result) answer.json.result.location = `s3://${target.bucket}/${target.key}`
        return answer
      },
    },
  },
  {
    name: 'store-believed',
    does: 'A backup is done when the store says so: nothing is read back.',
    losesData: true,
    caughtBy: { [writes]: 'a store that says 200 and keeps an altered byte: expected a failure' },
    faults: believing(['backupToObjectStore'], 'object-differs', () => ({
      location: 's3://conformance/key',
      size: 1,
      sha256: '0'.repeat(64),
    })),
  },
  {
    name: 'store-404-is-none',
    does: 'Each 404 counts as the word of the store that there is no object, also that of a proxy.',
    caughtBy: { [reads]: 'a 404 of a proxy to fail with 403 object-store-refused' },
    faults: failing('restoreFromObjectStore', (job) => {
      if (/404/.test(job.error.detail)) job.error = refusal(404, 'object-unknown').json
    }),
  },
  {
    name: 'store-busy-for-good',
    does: 'A store that is busy fails a job for good.',
    caughtBy: { [writes]: 'a busy store to fail with 503 object-store-unreachable' },
    faults: failing('backupToObjectStore', (job) => {
      if (job.error.status === 503) job.error = refusal(403, 'object-store-refused').json
    }),
  },
  {
    name: 'store-page-restored',
    does: 'A restore takes whatever the store answers with 200.',
    losesData: true,
    caughtBy: { [reads]: 'an altered byte: expected a failure' },
    faults: believing(['restoreFromObjectStore'], 'damaged-file', () => ({ databases: ['main'] })),
  },
  {
    name: 'store-restores-nothing',
    does: 'A restore from an object store brings databases without their rows.',
    losesData: true,
    caughtBy: { 'a restore from an object store is a restore of what is in it': 'once handled.zip is restored' },
    faults: after(['restoreFromObjectStore'], ({ room }, behind) => emptyDatabases(behind, room)),
  },
  {
    name: 'store-replaces-for-good',
    does: 'What is replaced from an object store is not kept.',
    losesData: true,
    caughtBy: { 'what is in an object store replaces a room’s content, which is put back': 'once it is put back' },
    faults: {
      startJob: async (call) => {
        const { type, room, roomId, from } = await call.json()
        if (type !== 'replaceRoom' || from.source === undefined) return null
        const answer = await ended(call, { type: 'restoreFromObjectStore', room, roomId, source: from.source })
        return { ...answer, json: { ...answer.json, type } }
      },
    },
  },
  {
    name: 'store-not-verified',
    does: 'A backup in an object store is tested by a look at its size.',
    losesData: true,
    caughtBy: { 'a backup in an object store is tested': 'a damaged backup: expected a failure' },
    faults: believing(['verifyBackup'], 'damaged-file', () => verified),
  },
  {
    name: 'store-upload-stays',
    does: 'A cancelled upload goes on, and leaves its parts in the store.',
    caughtBy: {
      'a large backup arrives in an object store, and no part of one that fails or is cancelled is left there':
        'after the cancellation',
    },
    faults: cancelledInWords(),
  },
  {
    name: 'cancelled-as-interrupted',
    does: 'A job that was cancelled tells that it was interrupted, so the console starts it again.',
    caughtBy: {
      'an object store that does not answer holds up no cancellation, and no other room': 'the cancelled job',
    },
    faults: failing('restoreFromObjectStore', (job) => {
      job.state = 'interrupted'
      job.error = refusal(503, 'interrupted').json
    }),
  },
]
