/** What a region says is kept and shown: as much of it as people can use, in characters that a database takes. */
const charactersAtMost = 2000

/** PostgreSQL takes neither NUL nor half a surrogate pair; cutting may leave such a half, too. */
export function storableText(text: string): string {
  const cut = text.length > charactersAtMost ? `${text.slice(0, charactersAtMost - 1)}…` : text
  return cut.replaceAll('\0', '\ufffd').toWellFormed()
}
