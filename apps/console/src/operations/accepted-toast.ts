/** The texts of a toast about an operation that was accepted. */
export interface AcceptedToast {
  title: string
  /** Shown while it runs. */
  text: string
  /** Shown when it has ended; by default, the operation is named. */
  ends?: { done?: string; failed?: string }
}
