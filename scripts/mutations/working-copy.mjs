/** A copy of the tree in which the product may be broken without affecting the original. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listedFiles } from '../listed-files.mjs'
import { root } from '../prepare.mjs'

/** Copies uncommitted files too. @returns {{ path: string, remove(): void }} */
export function makeWorkingCopy() {
  const path = mkdtempSync(join(tmpdir(), 'roomkeeper-mutations-'))
  for (const file of listedFiles()) {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    cpSync(join(root, file), join(path, file))
  }
  linkModules(join(root, 'node_modules'), join(path, 'node_modules'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Shares installed packages with the original; workspaces and caches are the copy's own. */
function linkModules(from, to) {
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (name.startsWith('.') && name !== '.bin') continue
    if (name === '@roomkeeper') linkWorkspaces(join(from, name), join(to, name))
    else symlinkSync(join(from, name), join(to, name))
  }
}

function linkWorkspaces(from, to) {
  mkdirSync(to)
  for (const name of readdirSync(from)) symlinkSync(readlinkSync(join(from, name)), join(to, name))
}
