/** The server took the file, but it is not what is needed here; the message says why, in the operator's language. */
export class UnfitUpload extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'UnfitUpload'
  }
}
