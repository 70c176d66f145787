/** The store has no file of that key. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
}
