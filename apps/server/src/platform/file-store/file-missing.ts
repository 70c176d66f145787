/** The store has no file with this key. */
export class FileMissing extends Error {
  override readonly name = 'FileMissing'
  readonly key: string
  constructor(key: string) {
    super(`The file ${key} is missing in the backup store.`)
    this.key = key
  }
}
