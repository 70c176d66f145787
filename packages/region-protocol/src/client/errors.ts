/** The errors of region calls, classified as transient (try again) or final. */
import type { JobInfo } from '../jobs.ts'
import { cleanText } from '../texts.ts'

/** The region refused a call. `isTransient`: the same call may succeed later (429, and 5xx except 507). */
export class RegionRefusal extends Error {
  readonly status: number
  /** The problem's type, such as `urn:roomkeeper-region:room-unknown`. */
  readonly type: string
  /** The region's name, if the caller has told it. */
  region: string | null = null
  constructor(status: number, type: string, detail: string) {
    super(cleanText(detail))
    this.name = 'RegionRefusal'
    this.status = status
    this.type = type
  }
  get isTransient(): boolean {
    return isTransientStatus(this.status)
  }
}

/**
 * An answer of the region is not of the form that the protocol says, which may be a proxy's fault, too. The text repeats
 * nothing of the answer: it may hold secrets.
 */
export class WrongForm extends RegionRefusal {
  /** @param what such as `answer to GET rooms/{name}` */
  constructor(what: string, wrong: string) {
    super(502, 'about:blank', `The region's ${what} is not as the protocol says: ${wrong}.`)
  }
}

/** The region could not be reached or did not answer in time. Always transient. */
export class RegionUnreachable extends Error {
  /** Such as `ECONNREFUSED` or `timeout`. */
  readonly reason: string
  readonly isTransient = true
  /** The region's name, if the caller has told it. */
  region: string | null = null
  constructor(reason: string) {
    super(`The region cannot be reached (${reason}).`)
    this.name = 'RegionUnreachable'
    this.reason = reason
  }
}

/** Something other than the region answered, such as a proxy: the answer says nothing about the region. */
export class NotARegion extends RegionUnreachable {
  readonly status: number
  /** Such as `DELETE routes/{name}`: the status is a success, but the answer has to be 204 without a body. */
  readonly instead204: string | null
  constructor(status: number, instead204: string | null = null) {
    super(
      instead204 === null
        ? `something else answers ${status} in its place`
        : `something else answers ${instead204} with ${status}, where 204 without a body is expected`,
    )
    this.status = status
    this.instead204 = instead204
  }
}

/** Another server answers at the region's address. The region cannot be reached until an administrator acts. */
export class WrongServer extends RegionUnreachable {
  constructor() {
    super('another server answers there')
    this.message = 'Another server answers there than the one that is registered.'
  }
}

/** The region speaks another version of the protocol. It cannot be reached until it or the console is updated. */
export class OtherProtocolVersion extends RegionUnreachable {
  constructor(told: number, own: number) {
    super('it speaks another version of the protocol')
    this.message = `The region speaks version ${told} of the protocol, this console version ${own}.`
  }
}

/** A file is transferred so slowly that the transfer would never end. */
export class TransferTooSlow extends RegionUnreachable {
  constructor() {
    super('a file hardly gets on')
    this.message = 'The file hardly gets on between this console and the region.'
  }
}

/** Whether the region does not have what the call is about. False if the region does not know the call itself. */
export function isUnknownToRegion(error: unknown): boolean {
  return error instanceof RegionRefusal && error.status === 404 && error.type !== `${refusalTypePrefix}no-such-call`
}

/** The prefix of the types of a region's refusals. */
export const refusalTypePrefix = 'urn:roomkeeper-region:'

/** A job ended without a result. `isTransient`: it may succeed when started again under a new id. */
export class RegionJobFailed extends Error {
  readonly job: string
  readonly state: 'failed' | 'interrupted'
  readonly status: number
  /** Such as `urn:roomkeeper-region:wrong-password`, `…:interrupted` or `…:cancelled`. */
  readonly type: string
  /** The job had failed before this call, in an earlier try under the same id. */
  readonly hadEnded: boolean
  /** The region's name, if the caller has told it. */
  region: string | null = null
  constructor(job: JobInfo, hadEnded = false) {
    super(cleanText(job.error?.detail ?? `The region's job ended ${job.state}.`))
    this.hadEnded = hadEnded
    this.name = 'RegionJobFailed'
    this.job = job.id
    this.state = job.state === 'interrupted' ? 'interrupted' : 'failed'
    this.status = job.error?.status ?? 500
    this.type = job.error?.type ?? 'about:blank'
  }
  get isTransient(): boolean {
    return this.state === 'interrupted' || isTransientStatus(this.status)
  }
}

/** 507 is not transient: a full disk stays full until an operator frees space, who should learn of it at once. */
function isTransientStatus(status: number): boolean {
  return status === 429 || (status >= 500 && status !== insufficientStorage)
}

/** There is no space left on the region's storage. */
export const insufficientStorage = 507

/** A short reason why fetch failed: `timeout`, `ECONNREFUSED`, … */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error instanceof DOMException && error.code === DOMException.TIMEOUT_ERR) return 'timeout'
  const cause = error.cause
  if (!(cause instanceof Error)) return error.name
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  // Such as the name `HTTPParserError`, or the message `bad port` for a port that the fetch standard blocks.
  return cause.name === 'Error' ? cause.message : cause.name
}
