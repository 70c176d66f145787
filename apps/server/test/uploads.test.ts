/** Uploads over HTTP: what is accepted, what is refused with which text, and that refused files are removed. */
import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { importedRoom } from '@roomkeeper/contract'
import { bootNetwork, type Network, until } from '@roomkeeper/dev-env'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { craftBackup, craftDatabaseExport, manifestOf, productFiles, roomFiles } from './craft-backup.ts'
import { craftZip } from './craft-zip.ts'
import { isOwnFile } from './own-files.ts'
import { refusalOf, sendFiles, uploadPaths } from './send-file.ts'

const limitBytes = 5_000_000

let network: Network
beforeAll(async () => {
  // A small heap, so that filling it would end the server.
  const env = { UPLOAD_LIMIT: String(limitBytes), NODE_OPTIONS: '--max-old-space-size=512' }
  network = await bootNetwork({ regions: 0, env })
})
afterAll(() => network?.stop())

describe('the backup of a project room', () => {
  // shows: C-uploadImport
  it('is kept, and its manifest fills the form of a new room', async () => {
    const answer = await sendFiles(network, 'uploadImport', [{ content: craftBackup() }])
    expect(answer.status).toBe(200)
    const room = z.decode(importedRoom, (await answer.json()) as z.input<typeof importedRoom>)
    expect(room).toMatchObject({
      tenantName: 'acme',
      product: 'ARIS',
      edition: 'advanced',
      expirationDate: '2030-01-31',
      customerEmail: 'ada@acme.example',
      additionalEmail: 'grace@acme.example',
      licenses: { YAAD: 3, YAAV: 7 },
      backup: { kind: 'room', roomName: 'acme', databases: ['main'], size: craftBackup().length },
    })
    const [row] = await network.database.rows<{ kind: string; operator: string; file_name: string }>(
      `select kind, file_name, o.email as operator from uploads join operators o on o.id = operator_id where uploads.name = $1`,
      [room.tmpFileName],
    )
    expect(row).toEqual({ kind: 'backup', file_name: 'backup.zip', operator: 'admin@localhost' })
    expect(await storedFiles()).toContain(room.tmpFileName)
    await forgetUploads()
  })

  // shows: C-uploadBackup
  it('is taken by the other call too, which also takes a product backup', async () => {
    for (const files of [roomFiles, productFiles]) {
      const answer = await sendFiles(network, 'uploadBackup', [{ content: craftBackup(files) }])
      expect(answer.status).toBe(200)
      const { backup } = (await answer.json()) as { backup: { kind: string } }
      expect(backup.kind).toBe(files === roomFiles ? 'room' : 'product')
    }
    await forgetUploads()
  })

  it('is in the audit trail, with who sent it and its SHA-256', async () => {
    const sales = await network.as('CLOUD_SALES')
    await sendFiles(network, 'uploadBackup', [{ content: craftBackup(), name: 'C:\\temp\\mine.zip' }], sales)
    const [entry] = await network.database.rows<{ actor: string; action: string; detail: string }>(
      'select actor, action, detail from audit order by id desc limit 1',
    )
    expect(entry).toMatchObject({ actor: 'cloud.sales@example.com', action: 'upload.backup' })
    expect(entry?.detail).toMatch(/^mine\.zip, \d+ bytes, SHA-256 [0-9a-f]{64}$/)
    await forgetUploads()
  })
})

describe('a database export', () => {
  // shows: C-uploadDatabase
  it('is kept under a temporary name', async () => {
    for (const sizes of [[0], [1000, 0], [262_144, 262_144, 17]]) {
      const content = craftDatabaseExport(sizes)
      const answer = await sendFiles(network, 'uploadDatabase', [{ content, name: 'Sales.adb' }])
      expect(answer.status).toBe(200)
      const { fileName } = (await answer.json()) as { fileName: string }
      expect(await storedFiles()).toContain(fileName)
    }
    await forgetUploads()
  })

  const whole = craftDatabaseExport([1000, 500])
  const damagedHeader = Buffer.from(whole)
  damagedHeader[20] = (damagedHeader[20] ?? 0) ^ 1
  it.each([
    ['another kind of file', Buffer.from('SQLite format 3\0 and so on'), 'x.adb'],
    ['an empty file', Buffer.alloc(0), 'x.adb'],
    ['a damaged header', damagedHeader, 'x.adb'],
    ['one cut off in its header', whole.subarray(0, 40), 'x.adb'],
    ['one cut off between chunks', whole.subarray(0, 73 + 4 + 1000 + 16), 'x.adb'],
    ['one cut off in a chunk', whole.subarray(0, -1), 'x.adb'],
    ['one with something behind it', Buffer.concat([whole, Buffer.from('x')]), 'x.adb'],
    ['a wrong extension', whole, 'x.zip'],
  ])('%s is refused', async (_, content, name) => {
    expect(await refusalOf(sendFiles(network, 'uploadDatabase', [{ content, name }]))).toBe('422 Wrong file')
  })
})

describe('a file that is no .zip', () => {
  const whole = craftBackup()
  // shows: files-no-zip
  it.each([
    ['text', Buffer.from('hello'), 'x.zip'],
    ['nothing', Buffer.alloc(0), 'x.zip'],
    ['two bytes', Buffer.from('PK'), 'x.zip'],
    ['a .zip that was cut off', whole.subarray(0, -10), 'x.zip'],
    ['a .zip of which the middle is missing', Buffer.concat([whole.subarray(0, 60), whole.subarray(200)]), 'x.zip'],
    ['a backup with another extension', whole, 'x.adb'],
    ['a backup without an extension', whole, 'zip'],
  ])('is refused: %s', async (_, content, name) => {
    for (const route of ['uploadImport', 'uploadBackup'] as const)
      expect(await refusalOf(sendFiles(network, route, [{ content, name }]))).toBe('422 Wrong file')
  })
})

describe('a .zip with nothing in it', () => {
  // shows: files-empty-zip
  it.each([
    ['no entries', craftZip([])],
    ['folders only', craftZip([{ name: 'databases/', content: '', compressed: false }])],
    ['a manifest that lists nothing', craftBackup({})],
  ])('is refused: %s', async (_, content) => {
    const answer = await refusalOf(sendFiles(network, 'uploadBackup', [{ content }]))
    expect(answer).toBe('422 No content in uploaded zip file')
  })
})

describe('a .zip that is no backup of a project room', () => {
  const named = (name: string) => craftBackup(roomFiles, {}, [{ name, content: 'x' }])
  const listing = (path: string) => craftBackup({ ...roomFiles, [path]: 'x' })
  const manifest = JSON.stringify(manifestOf(roomFiles))
  it.each([
    ['it has no manifest', craftZip([{ name: 'a.txt', content: 'a' }])],
    ['its manifest is no JSON', craftZip([{ name: 'manifest.json', content: '{' }])],
    ['its manifest is of something else', craftZip([{ name: 'manifest.json', content: '{"format":2}' }])],
    ['its manifest names a room that cannot be', craftBackup(roomFiles, { room: '../evil' })],
    ['it has a file that is not listed', named('more.txt')],
    ['a listed file is missing', craftBackup(productFiles, manifestOf({ ...productFiles, 'databases/x.db': '' }))],
    ['a file has another size than listed', craftBackup(roomFiles, { files: sizesOffByOne() })],
    ['a file has another SHA-256 than listed', craftBackup(roomFiles, { files: otherSha256() })],
    ['it lists no system.db', craftBackup(productFiles, { kind: 'room' })],
    ['a product backup has a system.db', craftBackup(roomFiles, { kind: 'product' })],
    ['two names differ only in case', craftBackup({ ...roomFiles, 'databases/MAIN.db': 'x' })],
    ['a database has a name that no region takes', listing('databases/a:b.db')],
    ['an absolute path', named('/etc/passwd')],
    ['an absolute path of Windows', named('C:/windows')],
    ['a path that climbs', named('../../outside')],
    ['a path that climbs inside', named('databases/../../outside')],
    ['a listed path that climbs', listing('databases/../x.db')],
    ['a backslash', named('databases\\x.db')],
    ['the same name twice', named('system.db')],
    ['a link', craftBackup(roomFiles, {}, [{ name: 'link', content: '/etc/passwd', mode: 0o120777 }])],
    ['an encrypted file', craftBackup(roomFiles, {}, [{ name: 'x', content: 'x', isEncrypted: true }])],
    ['a bomb', craftBackup({ ...roomFiles, 'databases/bomb.db': Buffer.alloc(3_000_000) })],
    ['too many entries', craftZip(manyEntries(manifest))],
  ])('is refused: %s', async (_, content) => {
    const answer = await refusalOf(sendFiles(network, 'uploadBackup', [{ content }]))
    expect(answer).toBe('422 Wrong file content')
  })

  it('is refused: a backup with a byte changed in one of its files', async () => {
    const files = { ...roomFiles, 'databases/main.db': randomBytes(100_000) }
    const content = craftBackup(files)
    // In the middle of the random bytes, which are stored as they are.
    content[60_000] = (content[60_000] ?? 0) ^ 1
    for (const route of ['uploadImport', 'uploadBackup'] as const)
      expect(await refusalOf(sendFiles(network, route, [{ content }]))).toBe('422 Wrong file content')
  })

  it.each(['licences', 'subLicences', 'files', 'more'])(
    'is refused by a server that goes on: endless %s',
    async (field) => {
      for (const count of [2_700_000, 30_000]) {
        const content = craftZip([{ name: 'manifest.json', content: manifestWith(field, count) }])
        expect(content.length).toBeLessThan(200_000)
        for (const route of ['uploadImport', 'uploadBackup'] as const) {
          const sales = await network.as('CLOUD_SALES')
          const refused = refusalOf(sendFiles(network, route, [{ content }], sales))
          expect((await fetch(`${network.server.address}/healthz`)).status).toBe(200)
          expect(await refused).toBe('422 Wrong file content')
        }
      }
      expect((await fetch(`${network.server.address}/healthz`)).status).toBe(200)
    },
  )

  it('is refused for an import: a product backup, and licences that no room can have', async () => {
    const licences = [{ licenseKey: 'YAAD', licenseAmount: 2 ** 40, licenseType: 'NUC' as const }]
    for (const content of [craftBackup(productFiles), craftBackup(roomFiles, { licences })])
      expect(await refusalOf(sendFiles(network, 'uploadImport', [{ content }]))).toBe('422 Wrong file content')
  })
})

describe('a .zip that was packed anew', () => {
  const files = { ...roomFiles, 'manifest.json': JSON.stringify(manifestOf(roomFiles)) }
  const packed = (top = '') => Object.entries(files).map(([name, content]) => ({ name: top + name, content }))
  const added = ['__MACOSX/._manifest.json', '__MACOSX/databases/._main.db', '.DS_Store', 'databases/desktop.ini']
  const withAdded = [...packed(), ...[...added, 'Thumbs.db'].map((name) => ({ name, content: 'x' }))]
  it.each([
    ['with what operating systems add', craftZip(withAdded)],
    ['with a folder around its files', craftZip([{ name: 'acme/', content: '' }, ...packed('acme/')])],
    [
      'with both',
      craftZip([
        ...packed('acme/'),
        { name: 'acme/.DS_Store', content: 'x' },
        { name: '__MACOSX/acme/._x', content: 'x' },
      ]),
    ],
    ['with a line end behind it', Buffer.concat([craftBackup(), Buffer.from('\r\n')])],
    ['padded with zeros', Buffer.concat([craftBackup(), Buffer.alloc(10_240)])],
  ])('is taken: %s', async (_, content) => {
    const answer = await sendFiles(network, 'uploadBackup', [{ content }])
    expect(await answer.json()).toMatchObject({ backup: { kind: 'room', databases: ['main'] } })
    await forgetUploads()
  })
})

describe('what is refused', () => {
  const { edition: _, ...withoutEdition } = manifestOf(productFiles)
  const lzma = craftBackup(roomFiles, {}, [{ name: 'more', content: 'x', method: 14 }])
  it.each([
    ['zip-none', 'uploadBackup', Buffer.from('hello'), 'This is not a .zip file.'],
    ['zip-damaged', 'uploadBackup', craftBackup().subarray(0, -10), 'The .zip is incomplete or damaged.'],
    ['file-ending', 'uploadDatabase', craftDatabaseExport(), 'The name of the file must end in .adb.'],
    [
      'zip-encrypted',
      'uploadBackup',
      craftBackup(roomFiles, {}, [{ name: 'x', content: 'x', isEncrypted: true }]),
      'x is encrypted.',
    ],
    ['zip-method', 'uploadBackup', lzma, 'more is packed with a compression that is not supported (14, LZMA).'],
    [
      'manifest-wrong',
      'uploadBackup',
      craftZip([{ name: 'manifest.json', content: JSON.stringify(withoutEdition) }]),
      'manifest.json: edition is missing or wrong.',
    ],
    [
      'backup-file-unlisted',
      'uploadBackup',
      craftBackup(roomFiles, {}, [{ name: 'more.txt', content: 'x' }]),
      'more.txt is not listed in manifest.json.',
    ],
    [
      'backup-file-differs',
      'uploadBackup',
      craftBackup(roomFiles, { files: otherSha256() }),
      'databases/main.db does not match its size or checksum in manifest.json.',
    ],
    ['backup-kind', 'uploadImport', craftBackup(productFiles), 'This is a backup of the kind product.'],
  ] as const)('says which file is wrong, and how: %s', async (code, route, content, message) => {
    const answer = await sendFiles(network, route, [{ content }])
    const errors = [{ field: 'file', code, message: expect.stringContaining(message) }]
    expect(await answer.json()).toMatchObject({
      title: 'File upload fail',
      detail: expect.stringMatching(/^Wrong file( content)?$/),
      errors,
    })
  })

  it.each([
    ['export-none', Buffer.from('SQLite format 3\0 and so on')],
    ['export-damaged', craftDatabaseExport().subarray(0, -1)],
  ])('says so of a database export: %s', async (code, content) => {
    const answer = await sendFiles(network, 'uploadDatabase', [{ content, name: 'x.adb' }])
    expect(await answer.json()).toMatchObject({ detail: 'Wrong file', errors: [{ code }] })
  })
})

describe('a call that is not one file', () => {
  const backup = { content: craftBackup() }
  it('is told so', async () => {
    const noFile = '400 Please choose a file.'
    expect(await refusalOf(sendFiles(network, 'uploadBackup', []))).toBe(noFile)
    expect(await refusalOf(sendFiles(network, 'uploadBackup', [{ ...backup, field: 'other' }]))).toBe(noFile)
    const twice = refusalOf(sendFiles(network, 'uploadBackup', [backup, backup]))
    expect(await twice).toBe('400 Please send one file only.')
    expect(await refusalOf(sendBody('{}', 'application/json'))).toBe('415 Please send multipart/form-data.')
    expect(await refusalOf(sendBody('x', 'multipart/form-data'))).toBe('415 Please send multipart/form-data.')
    expect(await refusalOf(sendBody('x', 'multipart/form-data; boundary='))).toMatch(/^4\d\d /)
    expect(await refusalOf(sendBody('', null))).toBe('415 Please send multipart/form-data.')
  })

  it('is told that its form is not whole', async () => {
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n'
    for (const body of ['', 'x', '--b', head, `${head}PK\x03\x04and so on`, `${head}PK\x03\x04\r\n--b`])
      expect(await refusalOf(sendBody(body, 'multipart/form-data; boundary=b'))).toMatch(/^4(00|22) /)
  })

  it('is no way around the JSON of other calls', async () => {
    const form = new FormData()
    form.append('roomName', 'acme')
    const headers = { authorization: `Bearer ${network.admin.token}` }
    const answer = fetch(`${network.server.address}/api/operator/delete`, { method: 'POST', headers, body: form })
    expect(await refusalOf(answer)).toBe('415 Please send application/json.')
  })
})

describe('a file that is too large', () => {
  // shows: files-413
  it('is refused before it is sent, when its size is known', async () => {
    const content = Buffer.alloc(limitBytes + 100_000)
    content.write('PK\x03\x04', 'latin1')
    expect(await refusalOf(sendFiles(network, 'uploadBackup', [{ content }]))).toBe(
      '413 The request is larger than 4.8 MiB.',
    )
  })

  // shows: files-413
  it('is refused on its way, when its size is not known', async () => {
    async function* form() {
      yield Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\x03\x04')
      for (let sent = 0; sent < limitBytes + 1_000_000; sent += 100_000) yield Buffer.alloc(100_000)
      yield Buffer.from('\r\n--b--\r\n')
    }
    const answer = fetch(network.server.address + uploadPaths.uploadBackup, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${network.admin.token}`,
        'content-type': 'multipart/form-data; boundary=b',
      },
      body: ReadableStream.from(form()),
      duplex: 'half',
    })
    expect(await refusalOf(answer)).toBe('413 The request is larger than 4.8 MiB.')
  })
})

describe('a connection that is cut off', () => {
  it('leaves nothing behind', async () => {
    const sending = request(network.server.address + uploadPaths.uploadBackup, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${network.admin.token}`,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': 4_000_000,
      },
    })
    sending.on('error', () => undefined)
    sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\x03\x04')
    sending.write(Buffer.alloc(1_000_000))
    await until('it is arriving', async () => (await storedFiles()).length > 0)
    sending.destroy()
    await until('it is gone', async () => (await storedFiles()).length === 0)
  })
})

// Nothing may be left of a refused upload. If something is, only the test that sent it fails, because it is removed
// before the next test.
afterEach(async () => {
  const files = await storedFiles()
  const rows = await network.database.rows('select name from uploads')
  if (files.length > 0) {
    for (const name of ['uploads', '.arriving']) await rm(join(storeFolder(), name), { recursive: true, force: true })
  }
  if (rows.length > 0) await network.database.rows('delete from uploads')
  expect(files).toEqual([])
  expect(rows).toEqual([])
})

const storeFolder = () => join(network.dir, 'server', 'backups')

/** The names of all files in the store but its mark, including those that are still arriving. */
async function storedFiles(): Promise<string[]> {
  const entries = await readdir(storeFolder(), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((each) => each.isFile() && !isOwnFile(each.name)).map((each) => each.name)
}

/** Lets housekeeping remove all uploads when the server restarts. */
async function forgetUploads(): Promise<void> {
  await network.database.rows('update uploads set delete_after = now()')
  await network.server.stop()
  await network.restartServer()
  // The file is removed before the row.
  const areGone = async () => (await network.database.rows('select from uploads')).length === 0
  await until('housekeeping has removed them', async () => (await areGone()) && (await storedFiles()).length === 0)
}

function sendBody(body: string, type: string | null): Promise<Response> {
  return fetch(network.server.address + uploadPaths.uploadBackup, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${network.admin.token}`,
      ...(type === null ? {} : { 'content-type': type }),
    },
    body: type === null ? null : Buffer.from(body, 'latin1'),
  })
}

/** A manifest of up to 8 MiB. Its random comment keeps it from being compressed to less than a thousandth. */
function manifestWith(field: string, count: number): string {
  const { [field as 'files']: _, ...others } = manifestOf(roomFiles)
  const comment = randomBytes(20_000).toString('base64')
  return `${JSON.stringify({ ...others, comment }).slice(0, -1)},"${field}":[${Array(count).fill('{}').join(',')}]}`
}

function sizesOffByOne() {
  return manifestOf(roomFiles).files.map((file) => ({ ...file, size: file.size + 1 }))
}

/** Of the last file, so that the others are read first. */
function otherSha256() {
  return manifestOf({ ...roomFiles, 'databases/main.db': 'the main database'.replace('main', 'MAIN') }).files
}

function manyEntries(manifest: string) {
  const many = Array.from({ length: 10_200 }, (_, index) => ({ name: `${index}`, content: 'x', compressed: false }))
  return [{ name: 'manifest.json', content: manifest }, ...many]
}
