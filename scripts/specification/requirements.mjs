/** The requirements by group: docs/specification/requirements.json and the calls of the two wires. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { routes } from '@roomkeeper/contract'
import { root } from '../prepare.mjs'

const settings = 'apps/server/src/app/settings.ts'

/**
 * @typedef {object} Group
 * @property {string} source
 * @property {string} [in] applies to all its texts, see Requirement
 * @property {{ calls?: string[], files?: string[], settings?: string[] }} [notBuilt] marks a group as not built yet; none
 *   of these may exist
 * @property {import('./show.mjs').Requirement[]} requirements
 */

/** @returns {Group[]} for a call: its purpose; its conditions and order are separate requirements */
export function readGroups() {
  const written = JSON.parse(readFileSync(join(root, 'docs/specification/requirements.json'), 'utf8'))
  const calls = Object.entries(routes).map(([name, { method, path, summary }]) => ({
    id: `C-${name}`,
    text: `${method} ${path}: ${summary.split(/[;.:] |, those |\.$/)[0]}.`,
  }))
  return [...written, { source: 'Calls of the console (wire.md)', requirements: calls }]
}

/** @returns the parts of a group marked as not built that exist by now */
export function whatIsBuilt({ calls = [], files = [], settings: variables = [] }) {
  const paths = Object.values(routes).map(({ path }) => path)
  const names = readFileSync(join(root, settings), 'utf8')
  return [
    ...calls.filter((call) => paths.some((path) => `${path}/`.startsWith(`/api/operator/${call}/`))),
    ...files.filter((file) => existsSync(join(root, file))),
    ...variables.filter((name) => names.includes(name)),
  ]
}
