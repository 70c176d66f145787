/**
 * The client of the region protocol: signs in when needed, times out, and classifies failures as transient or final.
 * Redirects are not followed.
 */
import type { Capability } from './capabilities.ts'
import { type Caller, createCaller, type RegionAddress, type RegionClientOptions } from './client/caller.ts'
import { isUnknownToRegion, NotARegion } from './client/errors.ts'
import { getFile, putFile, type RegionFile, type RegionFileSource, type WantedFile } from './client/file-transfer.ts'
import { type FollowedFile, followFile } from './client/follow-file.ts'
import { type FollowOptions, runJob } from './client/run-job.ts'
import type { FileInfo, UploadTicket, UploadWanted } from './files.ts'
import type { JobInfo, JobRequest, JobResult } from './jobs.ts'
import type { CallMark, RaisedFence } from './mark.ts'
import type {
  DatabaseInfo,
  LicenceUse,
  OpenedSession,
  RegionStatus,
  RoomChange,
  RoomCreation,
  RoomInfo,
  RoomPage,
  RoutePage,
  UserRemoval,
  UserSession,
} from './schemas.ts'

export type { RegionAddress, RegionClientOptions, SharedLogin } from './client/caller.ts'
export type { FileSum, RegionFile, RegionFileSource, WantedFile } from './client/file-transfer.ts'
export type { FollowedFile } from './client/follow-file.ts'
export type { FollowOptions } from './client/run-job.ts'
export { streamWithTicket } from './client/stream-with-ticket.ts'

/** Every call may throw `RegionRefusal` or `RegionUnreachable`. */
export interface RegionClient {
  status(): Promise<RegionStatus>
  /** Whether the region has this, as it said after the sign-in or in a later status. */
  offers(capability: Capability): Promise<boolean>
  /** One page of the rooms after `after`, ordered by name. */
  rooms(after?: string, limit?: number): Promise<RoomPage>
  /** Null: the region has no such room. */
  room(name: string): Promise<RoomInfo | null>
  createRoom(name: string, creation: RoomCreation, mark?: CallMark): Promise<RoomInfo>
  changeRoom(name: string, change: RoomChange, mark?: CallMark): Promise<RoomInfo>
  /** Null: the region keeps none, or does not offer it. */
  consoleRecord(name: string): Promise<string | null>
  /** @returns false: the region does not offer it */
  keepConsoleRecord(name: string, kept: { roomId: string; record: string }, mark?: CallMark): Promise<boolean>
  suspendRoom(name: string, roomId: string, mark?: CallMark): Promise<RoomInfo>
  resumeRoom(name: string, roomId: string, mark?: CallMark): Promise<RoomInfo>
  /** Takes or renews the lock, which ends by itself `lockSeconds` later. */
  lockRoom(name: string, lock: { roomId: string; holder: string }, mark?: CallMark): Promise<RoomInfo>
  unlockRoom(name: string, lock: { roomId: string; holder: string }, mark?: CallMark): Promise<RoomInfo>
  sessions(name: string): Promise<UserSession[]>
  openSession(name: string, user: string, mark?: CallMark): Promise<OpenedSession>
  endSession(name: string, id: string, mark?: CallMark): Promise<void>
  licences(name: string): Promise<LicenceUse[]>
  databases(name: string): Promise<DatabaseInfo[]>
  deleteUser(id: string, mark?: CallMark): Promise<UserRemoval>
  /** Starting a job again under the same id returns the same job. */
  startJob(id: string, input: JobRequest, mark?: CallMark): Promise<JobInfo>
  /** The same, but the answer comes when the job has ended, at most so many milliseconds later. */
  startJobAndWait(id: string, input: JobRequest, mark: CallMark | undefined, milliseconds: number): Promise<JobInfo>
  /** The job with its log lines after number `after`. Waits up to `waitMilliseconds` for the job to end. */
  job(id: string, after?: number, waitMilliseconds?: number): Promise<JobInfo>
  cancelJob(id: string, mark?: CallMark): Promise<JobInfo>
  /**
   * Starts the job, unless it was already started under this id, and follows it to its end.
   * @throws {RegionJobFailed} when it failed or was interrupted. If the error is transient, try again under a new id.
   */
  runJob<Input extends JobRequest>(
    id: string,
    input: Input,
    mark?: CallMark,
    options?: FollowOptions,
  ): Promise<JobResult<Input['type']>>
  /** Sends a file. Resumes an interrupted transfer, even one that another process began. */
  putFile(id: string, source: RegionFileSource, mark?: CallMark): Promise<FileInfo>
  /**
   * Opens a file. Reading its content resumes by itself after a broken connection, never gives more bytes than the
   * region announced, and fails when the content does not match its digest.
   * @param wanted the size and digest that the region reported when it made the file; any other file is refused
   */
  getFile(id: string, wanted?: WantedFile): Promise<RegionFile>
  /**
   * Opens the file that a job is making, to read it while it is made, on a region that offers `jobFile`. 'not-begun': ask
   * again a little later; 'none': read the file when the job has ended.
   * @param signal ends the reading
   */
  followFile(job: string, signal: AbortSignal): Promise<FollowedFile | 'not-begun' | 'none'>
  /** A ticket for `streamWithTicket`, from a region that offers `receiveBackup`. */
  openUpload(id: string, file: UploadWanted, mark?: CallMark): Promise<UploadTicket>
  /** Does nothing on a region that does not offer it: such a region removes a file when it has been unused for long. */
  deleteFile(id: string, mark?: CallMark): Promise<void>
  /**
   * Makes the region refuse calls with lower fences of these operations, at most `fencesAtMost`; a higher fence that it
   * knows stays. @returns false: the region does not offer it
   */
  raiseFences(fences: RaisedFence[]): Promise<boolean>
  /** One page of the redirects after `after`, ordered by name. Null: the region does not offer it. */
  routes(after?: string, limit?: number): Promise<RoutePage | null>
  putRoute(name: string, targetUrl: string, mark?: CallMark): Promise<void>
  deleteRoute(name: string, mark?: CallMark): Promise<void>
}

/** Use one client per region: it keeps the session, and signs in again when the region no longer knows it. */
export function createRegionClient(address: RegionAddress, options: RegionClientOptions = {}): RegionClient {
  const caller = createCaller(address, options)
  return {
    ...roomCalls(caller),
    ...userCalls(caller),
    ...jobCalls(caller),
    ...fileCalls(caller),
    ...routeCalls(caller),
    status: caller.status,
    offers: caller.offers,
    raiseFences: async (fences) => {
      if (!(await caller.offers('raiseFences'))) return false
      try {
        await caller.call('raiseFences', { body: { fences } })
        return true
      } catch (error) {
        // Such as a proxy that lets only some calls through; the caller then raises each fence by itself.
        if (error instanceof NotARegion) return false
        throw error
      }
    },
  }
}

function roomCalls({ call, offers }: Caller) {
  return {
    rooms: (after = '', limit = 100) => call('rooms', { query: { after, limit } }),
    room: (name) => orNull(call('room', { params: { name } })),
    createRoom: (name, body, mark) => call('createRoom', { params: { name }, body }, mark),
    changeRoom: (name, body, mark) => call('changeRoom', { params: { name }, body }, mark),
    consoleRecord: async (name) => {
      if (!(await offers('consoleRecord'))) return null
      return (await orNull(call('consoleRecord', { params: { name } })))?.record ?? null
    },
    keepConsoleRecord: async (name, body, mark) => {
      if (!(await offers('consoleRecord'))) return false
      await call('keepConsoleRecord', { params: { name }, body }, mark)
      return true
    },
    suspendRoom: (name, roomId, mark) => call('suspendRoom', { params: { name }, body: { roomId } }, mark),
    resumeRoom: (name, roomId, mark) => call('resumeRoom', { params: { name }, body: { roomId } }, mark),
    lockRoom: (name, body, mark) => call('lockRoom', { params: { name }, body }, mark),
    unlockRoom: (name, body, mark) => call('unlockRoom', { params: { name }, body }, mark),
    licences: (name) => call('licences', { params: { name } }),
    databases: (name) => call('databases', { params: { name } }),
  } satisfies Partial<RegionClient>
}

function userCalls({ call }: Caller) {
  return {
    sessions: (name) => call('sessions', { params: { name } }),
    openSession: (name, user, mark) => call('openSession', { params: { name }, body: { user } }, mark),
    endSession: (name, id, mark) => call('endSession', { params: { name, id } }, mark),
    deleteUser: (id, mark) => call('deleteUser', { params: { id } }, mark),
  } satisfies Partial<RegionClient>
}

function jobCalls({ call }: Caller) {
  const calls = {
    startJob: (id, body, mark) => call('startJob', { params: { id }, body }, mark),
    startJobAndWait: (id, body, mark, wait) => call('startJob', { params: { id }, query: { wait }, body }, mark),
    job: (id, after = 0, wait = 0) =>
      call('job', { params: { id }, query: { after, ...(wait === 0 ? {} : { wait }) } }),
    cancelJob: (id, mark) => call('cancelJob', { params: { id } }, mark),
  } satisfies Partial<RegionClient>
  // The result is parsed by the schema of the input's type, which is what the generic signature promises.
  const follow = (id: string, input: JobRequest, mark?: CallMark, options: FollowOptions = {}) =>
    runJob(calls, id, input, mark, options)
  return { ...calls, runJob: follow as RegionClient['runJob'] }
}

function fileCalls(caller: Caller) {
  return {
    putFile: (id, source, mark) => putFile(caller, id, source, mark),
    getFile: (id, wanted) => getFile(caller, id, wanted),
    followFile: (job, signal) => followFile(caller, job, signal),
    openUpload: (id, body, mark) => caller.call('openUpload', { params: { id }, body }, mark),
    deleteFile: async (id, mark) => {
      if (await caller.offers('deleteFile')) await caller.call('deleteFile', { params: { id } }, mark)
    },
  } satisfies Partial<RegionClient>
}

function routeCalls({ call, offers }: Caller) {
  return {
    routes: async (after = '', limit = 100) =>
      (await offers('routes')) ? call('routes', { query: { after, limit } }) : null,
    putRoute: (name, targetUrl, mark) => call('putRoute', { params: { name }, body: { targetUrl } }, mark),
    deleteRoute: (name, mark) => call('deleteRoute', { params: { name } }, mark),
  } satisfies Partial<RegionClient>
}

async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (isUnknownToRegion(error)) return null
    throw error
  }
}
