import type { ReactNode } from 'react'

/** The texts of a toast about an operation that was accepted. */
export interface AcceptedToast {
  title: string
  /** Shown while it runs. */
  text: string
  /** Shown when it has ended; by default, the operation is named. */
  ends?: {
    done?: string
    failed?: string
    /** Shown below the text, such as a link to what to do next. After a failure, by default, a link to the room. */
    afterDone?: ReactNode
    afterFailure?: ReactNode
  }
}
