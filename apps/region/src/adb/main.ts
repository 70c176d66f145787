/**
 * `npm run region:adb -- --from some.sqlite --to name.adb` makes a database export from any SQLite database.
 * `npm run region:adb -- --open name.adb --to some.sqlite` decrypts one.
 * The password comes from ADB_PASSWORD or a prompt, never from an argument, which others on the machine can read.
 */
import { parseArgs } from 'node:util'
import { Refusal } from '#refusals.ts'
import { makeExport, openExport } from './convert.ts'
import { readPassword } from './read-password.ts'

const usage = 'Usage: --from <SQLite file> --to <new .adb file> | --open <.adb file> --to <new SQLite file>'

const command = commandOf()
if (command === null) {
  console.error(usage)
  process.exit(2)
}
try {
  const password = await readPassword({ twice: command.convert === makeExport })
  const { size, sha256 } = await command.convert(command.from, command.to, password)
  console.log(`${command.to}: ${size} bytes, SHA-256 ${sha256}`)
} catch (error) {
  console.error(error instanceof Refusal || (error instanceof Error && 'code' in error) ? error.message : error)
  process.exit(1)
}

function commandOf() {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { from: text, open: text, to: text } })
    const { from, open, to } = values
    if (to === undefined || (from === undefined) === (open === undefined)) return null
    if (from !== undefined) return { convert: makeExport, from, to }
    return open === undefined ? null : { convert: openExport, from: open, to }
  } catch {
    return null
  }
}
