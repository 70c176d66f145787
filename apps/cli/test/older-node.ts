/** The Node of the system, where it is older than ours and new enough; it comes with an npm. */
import { execFileSync } from 'node:child_process'

const oldestMajor = 20

/** null: there is none. */
export const olderNode: string | null = ['/usr/bin/node', '/usr/local/bin/node'].find(isOlder) ?? null

function isOlder(node: string): boolean {
  try {
    const [major = 0] = execFileSync(node, ['--version'], { encoding: 'utf8' }).slice(1).split('.').map(Number)
    return major >= oldestMajor && major < Number(process.versions.node.split('.')[0])
  } catch {
    return false
  }
}
