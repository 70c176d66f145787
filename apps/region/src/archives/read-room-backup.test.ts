import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeEach, expect, test } from 'vitest'
import yazl from 'yazl'
import { withRoomBackup } from './read-room-backup.ts'

let folder: string
const folders: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomkeeper-backup-'))
  folders.push(folder)
})
afterAll(async () => {
  for (const each of folders) await rm(each, { recursive: true, force: true })
})

const files = { 'system.db': 'system content', 'databases/main.db': 'main content' }

function manifestOf(contents: Record<string, string>, change: Record<string, unknown> = {}): string {
  return JSON.stringify({
    format: 1,
    kind: 'room',
    createdAt: new Date().toISOString(),
    room: 'alpha',
    product: 'ARIS',
    edition: 'basic',
    schemaVersion: 1,
    licences: [],
    subLicences: [],
    subMiningType: 'NONE',
    expirationDate: null,
    contacts: {
      companyName: 'c',
      customerFirstName: 'f',
      customerLastName: 'l',
      customerContactDetails: null,
      ownerEmail: 'a@b',
      delegateEmail: null,
    },
    files: Object.entries(contents).map(([path, content]) => ({
      path,
      size: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
    ...change,
  })
}

/** A .zip of these entries. yazl refuses names that climb out of a folder, so tests overwrite names afterwards. */
async function zipOf(
  entries: Record<string, string>,
  options: { mode?: number; compress?: boolean } = {},
): Promise<string> {
  const zip = new yazl.ZipFile()
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name, options)
  zip.end()
  const path = join(folder, 'backup.zip')
  await pipeline(zip.outputStream, createWriteStream(path))
  return path
}

async function renamed(path: string, from: string, to: string): Promise<string> {
  const content = (await readFile(path)).toString('latin1').replaceAll(from, to)
  await writeFile(path, Buffer.from(content, 'latin1'))
  return path
}

async function extracted(path: string): Promise<Record<string, string>> {
  const to = join(folder, 'out')
  await withRoomBackup(path, (backup) => backup.extract(to, () => {}))
  const names = Object.keys(files)
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(to, name), 'utf8')])),
  )
}

test('the files of a backup are those of its manifest', async () => {
  expect(await extracted(await zipOf({ 'manifest.json': manifestOf(files), ...files }))).toEqual(files)
})

// shows: files-zip-paths
test('names that climb out, absolute names and links are refused, and nothing is written outside', async () => {
  const climbing = { 'databases/aaaaaaaaa.db': 'x' }
  for (const evil of ['../../../../evil.db', '/aaaaaaaa/evil.db', 'databases\\aaaaaaa.db']) {
    const manifest = manifestOf({ 'system.db': 's', [evil]: 'x' })
    const path = await zipOf({ 'manifest.json': manifest, 'system.db': 's', ...climbing })
    const name = evil.padEnd(22, 'x').slice(0, 22)
    await renamed(path, 'databases/aaaaaaaaa.db', name)
    await expect(extracted(path), evil).rejects.toMatchObject({ problem: { status: 422 } })
  }
  const links = await zipOf({ 'manifest.json': manifestOf(files), ...files }, { mode: 0o120777 })
  await expect(extracted(links)).rejects.toMatchObject({ code: 'wrong-content' })
  expect(await readdir(folder)).toEqual(['backup.zip'])
})

test('a manifest that lists what no room has is refused', async () => {
  const cases = {
    'a name that climbs': { 'system.db': 's', 'databases/../x.db': 'x' },
    'another file': { 'system.db': 's', 'databases/main.db': 'm', 'room.json': '{}' },
    'no system database': { 'databases/main.db': 'm' },
    'names that differ in case': { 'system.db': 's', 'databases/main.db': 'm', 'databases/MAIN.db': 'm' },
  }
  for (const [what, contents] of Object.entries(cases)) {
    const manifest = manifestOf(contents as Record<string, string>)
    await expect(zipOf({ 'manifest.json': manifest }).then(extracted), what).rejects.toMatchObject({
      code: 'wrong-content',
    })
  }
})

test('a manifest with more licences than a room has is refused', async () => {
  const licences = Array(1001).fill({ licenseKey: 'YAAD', licenseAmount: 1, licenseType: 'NUC' })
  const manifest = manifestOf(files, { licences })
  await expect(zipOf({ 'manifest.json': manifest, ...files }).then(extracted)).rejects.toMatchObject({
    code: 'wrong-content',
  })
})

// shows: stored-manifest
test('entries that the manifest does not list, or lists and are missing, are refused', async () => {
  const more = { 'manifest.json': manifestOf(files), ...files, 'databases/other.db': 'o' }
  await expect(zipOf(more).then(extracted)).rejects.toMatchObject({ code: 'wrong-content' })
  const fewer = { 'manifest.json': manifestOf(files), 'system.db': files['system.db'] }
  await expect(zipOf(fewer).then(extracted)).rejects.toMatchObject({ code: 'wrong-content' })
})

test('a zip without a manifest, or with another one, is refused', async () => {
  await expect(zipOf(files).then(extracted)).rejects.toMatchObject({ code: 'wrong-content' })
  for (const manifest of ['', '[]', '{}', manifestOf(files, { format: 2 }), manifestOf(files, { room: '../x' })])
    await expect(zipOf({ 'manifest.json': manifest, ...files }).then(extracted)).rejects.toMatchObject({
      code: 'wrong-content',
    })
})

test('names that macOS took apart, in UTF-8 without saying so, are those of the manifest, but none comes twice', async () => {
  const name = 'databases/Über.db'
  const contents = { 'system.db': 's', [name]: 'm' }
  const entries = { 'manifest.json': manifestOf(contents), 'system.db': 's', [name.normalize('NFD')]: 'm' }
  const to = join(folder, 'out')
  await withRoomBackup(await withoutUtf8Flag(await zipOf(entries)), (backup) => backup.extract(to, () => {}))
  expect(await readdir(join(to, 'databases'))).toEqual(['Über.db'])
  await expect(zipOf({ ...entries, [name]: 'm' }).then(extracted)).rejects.toMatchObject({ code: 'wrong-content' })
})

async function withoutUtf8Flag(path: string): Promise<string> {
  const content = await readFile(path)
  for (const [signature, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const)
    for (let at = content.indexOf(signature); at >= 0; at = content.indexOf(signature, at + 4))
      content.writeUInt16LE(content.readUInt16LE(at + flags) & ~0x800, at + flags)
  await writeFile(path, content)
  return path
}

// shows: stored-manifest
test('a file of another content than the manifest says is damage', async () => {
  const path = await zipOf({ 'manifest.json': manifestOf(files), ...files, 'system.db': 'System content' })
  await expect(extracted(path)).rejects.toMatchObject({ code: 'damaged-file' })
})

// shows: files-zip-growth
test('a zip that would grow a thousandfold is refused', async () => {
  const bomb = { 'system.db': '0'.repeat(20_000_000), 'databases/main.db': 'm' }
  const path = await zipOf({ 'manifest.json': manifestOf(bomb), ...bomb })
  await expect(extracted(path)).rejects.toMatchObject({ code: 'wrong-content' })
})

test('a zip whose entries say more than names is refused', async () => {
  const zip = new yazl.ZipFile()
  const contents = { 'manifest.json': manifestOf(files), ...files }
  const options = { fileComment: 'c'.repeat(60_000), mode: 0o100644 }
  for (const [name, content] of Object.entries(contents)) zip.addBuffer(Buffer.from(content), name, options)
  zip.end()
  const path = join(folder, 'backup.zip')
  await pipeline(zip.outputStream, createWriteStream(path))
  await expect(extracted(path)).rejects.toMatchObject({ code: 'wrong-content' })
})

test('a zip whose files lie over each other is refused', async () => {
  const [first, second] = ['databases/a.db', 'databases/b.db']
  const same = { 'system.db': 's', [first]: 'content '.repeat(1000), [second]: 'content '.repeat(1000) }
  const path = await zipOf({ 'manifest.json': manifestOf(same), ...same })
  const content = await readFile(path)
  // In the central directory, both entries point to the first one and claim nearly all of the file.
  for (const name of [first, second]) {
    const entry = content.lastIndexOf(name) - 46
    content.writeUInt32LE(content.length - 200, entry + 20)
    content.writeUInt32LE(content.indexOf(first) - 30, entry + 42)
  }
  await writeFile(path, content)
  await expect(extracted(path)).rejects.toMatchObject({ code: 'wrong-content' })
})

test('a zip is refused whichever byte of its packed content is changed, and nobody waits for what never comes', async () => {
  const content = Array.from({ length: 100 }, (_, index) => `${(index * 7919) % 1009}`).join(' ')
  const random = { 'system.db': content, 'databases/main.db': 'm' }
  const path = await zipOf({ 'manifest.json': manifestOf(random), ...random })
  const whole = await readFile(path)
  const from = whole.indexOf('system.db') + 'system.db'.length
  const to = whole.indexOf('databases/main.db') - 46
  expect(to - from).toBeGreaterThan(100)
  for (let offset = from; offset < to; offset += 1) {
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(offset) ^ 0xff, offset)
    await writeFile(path, changed)
    await expect(extracted(path), `changed at ${offset}`).rejects.toMatchObject({ problem: { status: 422 } })
  }
})

test('a zip that is cut, or changed in the middle, is refused', async () => {
  const random = { 'system.db': crypto.randomUUID().repeat(100), 'databases/main.db': crypto.randomUUID() }
  const path = await zipOf({ 'manifest.json': manifestOf(random), ...random })
  const whole = await readFile(path)
  for (const length of [0, 3, 100, whole.length - 10]) {
    await writeFile(path, whole.subarray(0, length))
    await expect(extracted(path), `cut at ${length}`).rejects.toMatchObject({ problem: { status: 422 } })
  }
  const changed = Buffer.from(whole)
  const offset = changed.indexOf('system.db') + 20
  changed.writeUInt8(changed.readUInt8(offset) ^ 0xff, offset)
  await writeFile(path, changed)
  await expect(extracted(path)).rejects.toMatchObject({ problem: { status: 422 } })
})

test('files that are stored without compression come whole, whatever their length', async () => {
  const megabyte = 1 << 20
  for (const length of [0, 1, megabyte - 1, megabyte, megabyte + 1, 3 * megabyte + 5]) {
    const stored = { 'system.db': 's'.repeat(length), 'databases/main.db': 'main content' }
    const path = await zipOf({ 'manifest.json': manifestOf(stored), ...stored }, { compress: false })
    expect((await extracted(path))['system.db'] === stored['system.db'], `${length} bytes`).toBe(true)
  }
})

test('a stored file is refused whichever byte of it or of its header is changed', async () => {
  const stored = { 'system.db': 'a system database', 'databases/main.db': 'm' }
  const path = await zipOf({ 'manifest.json': manifestOf(stored), ...stored }, { compress: false })
  const whole = await readFile(path)
  const content = whole.indexOf(stored['system.db'])
  // The signature, the lengths of name and additional fields, and the content: nothing else of a local header is used.
  const header = content - 'system.db'.length - 30
  const offsets = [0, 1, 2, 3, 26, 27, 28, 29].map((offset) => header + offset)
  for (let offset = content; offset < content + stored['system.db'].length; offset += 1) offsets.push(offset)
  for (const offset of offsets) {
    const changed = Buffer.from(whole)
    changed.writeUInt8(changed.readUInt8(offset) ^ 0xff, offset)
    await writeFile(path, changed)
    await expect(extracted(path), `changed at ${offset}`).rejects.toMatchObject({ code: 'damaged-file' })
  }
})
