import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The files and folders in a region's data that belong to nothing: temporary files, remains, parts of files. */
export function leftoversIn(dataDir: string): string[] {
  const found: string[] = []
  const belongsIn = (path: string) => belongs(path) || isKeptOf(dataDir, path)
  const walk = (folder: string) => {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) walk(path)
      else if (!belongsIn(relative(dataDir, path))) found.push(relative(dataDir, path))
    }
    const isSomething = ['', 'rooms', 'work', 'files'].includes(relative(dataDir, folder))
    if (!isSomething && !belongsIn(`${relative(dataDir, folder)}/`)) found.push(`${relative(dataDir, folder)}/`)
  }
  walk(dataDir)
  return found
}

/** SQLite's companion files belong to their database. */
const companion = '(-wal|-shm|-journal)?'
const known = [
  new RegExp(`^region\\.db${companion}$`),
  /^reserve$/,
  /^rooms\/[a-z0-9]+\/(databases\/|room\.json)?$/,
  new RegExp(`^rooms/[a-z0-9]+/(system|databases/[^./-]+)\\.db${companion}$`),
  /^files\/[A-Za-z0-9][^/]*\/(meta\.json|part|content)?$/,
]
function belongs(path: string): boolean {
  return known.some((each) => each.test(path))
}

/** What a room held before belongs to the room, and to nothing once the room is gone. */
function isKeptOf(dataDir: string, path: string): boolean {
  const [, room, rest] = /^rooms\/\.kept-([a-z0-9]+)-[0-9a-f-]{36}\/(.*)$/.exec(path) ?? []
  if (room === undefined || rest === undefined || !existsSync(join(dataDir, 'rooms', room))) return false
  return (
    ['', 'kept.json', 'old'].includes(rest) || (rest.startsWith('old/') && belongs(`rooms/${room}/${rest.slice(4)}`))
  )
}
