/** How it stands with the query that brings the rows of a table. */
export interface LoadState {
  /** Why rows could not be loaded; those of before may still be there. */
  failure: { title: string; text: string } | null
  onAgain: () => void
  /** Other rows are on their way; these stay until then, dimmed. */
  isOutdated: boolean
}
