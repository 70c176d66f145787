/** Real database exports (.adb), made from real SQLite files with the region's own tool. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const program = fileURLToPath(new URL('../apps/region/src/adb/main.ts', import.meta.url))

/** An export with one table of a few rows, in the form that a file input takes. */
export async function makeExport(name: string, password: string) {
  const dir = await mkdtemp(join(tmpdir(), 'roomkeeper-export-'))
  try {
    const [from, to] = [join(dir, 'some.sqlite'), join(dir, name)]
    const database = new DatabaseSync(from)
    database.exec(`create table models (name text); insert into models values ('order to cash'), ('hire to retire')`)
    database.close()
    await promisify(execFile)(process.execPath, [program, '--from', from, '--to', to], {
      env: { ...process.env, ADB_PASSWORD: password },
    })
    return { name, mimeType: 'application/octet-stream', buffer: await readFile(to) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
