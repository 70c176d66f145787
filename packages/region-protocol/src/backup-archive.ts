/** How a room backup (.zip) is read, so that the console and its regions judge every archive the same. */
import { isUtf8 } from 'node:buffer'
import { manifestFile } from './backup-manifest.ts'

/**
 * The name of an entry as the backup had it: macOS takes accents apart (NFD), and leaves out the flag of names in UTF-8.
 * @param decode reads the name with these flags
 */
export function nameOfEntry(
  { generalPurposeBitFlag: flags, fileNameRaw: raw }: { generalPurposeBitFlag: number; fileNameRaw: Uint8Array },
  decode: (flags: number) => string,
): string {
  const name = decode(isUtf8(raw) ? flags | utf8Flag : flags)
  return name.length > composedAtMost ? name : name.normalize()
}

const utf8Flag = 0x800
/** Longer names are of no file of a backup, and long rows of accents take long to put in order. */
const composedAtMost = 300

/**
 * Which entry of the archive is which file of the backup. Left out is what operating systems add; a folder in which all
 * the files lie is taken off.
 * @param names of all entries
 * @returns the paths in the backup, such as `databases/main.db`, by the names of their entries
 */
export function pathsInBackup(names: Iterable<string>): Map<string, string> {
  const files = [...names].filter((name) => !name.endsWith('/') && !isAddedBySystem(name))
  const top = topFolderOf(files)
  return new Map(files.map((name) => [name, name.slice(top.length)]))
}

/** Whether the manifest of the archive may be this entry: it lies at the top, or in a folder there. */
export function mayBeManifest(name: string): boolean {
  const [first, second, ...rest] = name.split('/')
  return rest.length === 0 && (second ?? first) === manifestFile && first !== macFolder
}

const macFolder = '__MACOSX'

/** `databases/Thumbs.db` may be a database called Thumbs. */
function isAddedBySystem(name: string): boolean {
  const folders = name.split('/')
  const last = folders.pop() ?? ''
  if (folders.includes(macFolder) || last === '.DS_Store' || last === 'desktop.ini') return true
  return last === 'Thumbs.db' && folders.at(-1) !== 'databases'
}

/** The folder with its slash, or '' if there is none. */
function topFolderOf(files: readonly string[]): string {
  const top = files[0]?.slice(0, files[0].indexOf('/') + 1) ?? ''
  return top !== '' && files.includes(top + manifestFile) && files.every((name) => name.startsWith(top)) ? top : ''
}

const endRecordBytes = 22

/** How many bytes at the end of a .zip say where it ends: its end record with the longest comment. */
export const endOfZipBytes = endRecordBytes + 0xffff

/**
 * Some programs and transfers add bytes behind a .zip.
 * @param tail the last bytes of the file, `endOfZipBytes` of them or all
 * @returns how many of them lie behind the end of the .zip; 0 if no end is found
 */
export function bytesBehindZip(tail: Buffer): number {
  const at = tail.lastIndexOf(endRecord)
  if (at < 0 || at + endRecordBytes > tail.length) return 0
  return Math.max(0, tail.length - (at + endRecordBytes + tail.readUInt16LE(at + endRecordBytes - 2)))
}

const endRecord = Buffer.from('PK\x05\x06', 'latin1')

/** What a .zip says of how an entry is packed, for people; null: it can be unpacked. */
export function unreadableMethod(method: number): string | null {
  if (method === stored || method === deflated) return null
  const name = methods[method]
  return name === undefined ? String(method) : `${method}, ${name}`
}

const stored = 0
const deflated = 8
const methods: Partial<Record<number, string>> = { 9: 'Deflate64', 12: 'bzip2', 14: 'LZMA', 93: 'Zstandard', 95: 'XZ' }
