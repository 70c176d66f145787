/** How a call of the region protocol can fail, sorted into what may pass (try again) and what cannot. */
import type { JobInfo } from '../jobs.ts'
import { shownText } from '../told-text.ts'

/** The region answered with a refusal. `passing`: the same call may succeed later (429, 5xx but not 507). */
export class RegionRefusal extends Error {
  readonly status: number
  /** The problem's type, such as `urn:roomkeeper-region:room-unknown`. */
  readonly type: string
  constructor(status: number, type: string, detail: string) {
    super(shownText(detail))
    this.name = 'RegionRefusal'
    this.status = status
    this.type = type
  }
  get passing(): boolean {
    return mayPass(this.status)
  }
}

/** The region could not be reached or did not answer in time; always worth another try. */
export class RegionUnreachable extends Error {
  /** Such as `ECONNREFUSED` or `timeout`. */
  readonly reason: string
  readonly passing = true
  constructor(reason: string) {
    super(`The region cannot be reached (${reason}).`)
    this.name = 'RegionUnreachable'
    this.reason = reason
  }
}

/** Something else answers in the region's place, such as a proxy before it: it says nothing about the region. */
export class NoRegionAnswers extends RegionUnreachable {
  readonly status: number
  constructor(status: number) {
    super(`something else answers ${status} in its place`)
    this.status = status
  }
}

/** Another server answers at the region's address: the region itself cannot be reached until somebody has looked. */
export class AnotherServerAnswers extends RegionUnreachable {
  constructor() {
    super('another server answers there')
    this.message = 'Another server answers there than the one that is registered.'
  }
}

/** A file of a region moves so slowly that it would never come to its end. */
export class FileHardlyGetsOn extends RegionUnreachable {
  constructor() {
    super('a file hardly gets on')
    this.message = 'The file hardly gets on between this console and the region.'
  }
}

/** The region says that it does not have what the call was about. One that does not know the call says nothing of it. */
export function saysUnknown(error: unknown): boolean {
  return error instanceof RegionRefusal && error.status === 404 && error.type !== `${typeOfRegion}no-such-call`
}

/** How the type of each of its refusals begins. */
export const typeOfRegion = 'urn:roomkeeper-region:'

/** A job ended without a result. `passing`: it may succeed when started again under a new id. */
export class RegionJobFailed extends Error {
  readonly job: string
  readonly state: 'failed' | 'interrupted'
  readonly status: number
  /** Such as `urn:roomkeeper-region:wrong-password`, `…:interrupted` or `…:cancelled`. */
  readonly type: string
  /** It had ended when it was asked for: an earlier try of the same id ended so. */
  readonly wasOver: boolean
  constructor(job: JobInfo, wasOver = false) {
    super(shownText(job.error?.detail ?? `The region's job ended ${job.state}.`))
    this.wasOver = wasOver
    this.name = 'RegionJobFailed'
    this.job = job.id
    this.state = job.state === 'interrupted' ? 'interrupted' : 'failed'
    this.status = job.error?.status ?? 500
    this.type = job.error?.type ?? 'about:blank'
  }
  get passing(): boolean {
    return this.state === 'interrupted' || mayPass(this.status)
  }
}

/** A full disk does not empty itself: somebody has to make room, and should be told at once. */
function mayPass(status: number): boolean {
  return status === 429 || (status >= 500 && status !== insufficientStorage)
}

const insufficientStorage = 507

/** A word for why fetch failed: `timeout`, `ECONNREFUSED`, … */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof DOMException && error.code === DOMException.TIMEOUT_ERR) return 'timeout'
  const cause = error.cause
  if (!(cause instanceof Error)) return error.name
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  // Such as `HTTPParserError`, or `bad port` for one that browsers block too.
  return cause.name === 'Error' ? cause.message : cause.name
}
