/** Makes and reads `DATA_DIR/secret.key`: the SECRET_KEY of an installation for which none is set. */
import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Secret } from '#platform/secrets.ts'
import { hasCode } from '#platform/system-error.ts'
import { WrongSetting } from './setting-forms.ts'

const minCharacters = 16

/**
 * Made once. The file opens all stored passwords; without it they are lost, so it is synced to disk before anything is
 * sealed with it.
 * @throws WrongSetting
 */
export function storedSecretKey(dataDir: string): Secret {
  const path = join(dataDir, 'secret.key')
  let key: string
  try {
    mkdirSync(dataDir, { recursive: true })
    key = readKey(path) ?? makeKey(dataDir, path)
  } catch {
    throw new WrongSetting(`DATA_DIR is wrong: ${path} cannot be written.`)
  }
  if (key.length >= minCharacters) return new Secret(key)
  throw new WrongSetting(
    `DATA_DIR is wrong: ${path} is not whole. Put the key back that was in it, or set SECRET_KEY; stored passwords cannot be opened with another one.`,
  )
}

function readKey(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  }
}

/** If several processes start at once, one of them makes the key, and none reads half a file. */
function makeKey(dataDir: string, path: string): string {
  const temporary = `${path}.new-${randomUUID()}`
  try {
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    createOnce(temporary, path)
  } finally {
    rmSync(temporary, { force: true })
  }
  const folder = openSync(dataDir, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
  return readKey(path) ?? ''
}

/** Unlike a rename, a link never replaces a key that another process has made meanwhile. */
function createOnce(temporary: string, path: string): void {
  try {
    linkSync(temporary, path)
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return
    // Some file systems have no links.
    copyFileSync(temporary, path, constants.COPYFILE_EXCL)
  }
}
