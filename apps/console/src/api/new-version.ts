/** Notices that servers have another build of the console than this page is of. */
import { createStore } from '#store.ts'

/** While servers are replaced one by one, both builds answer. Those of this page's must have been silent for a while. */
const silentMilliseconds = 10_000
const answersNeeded = 3

/** Undefined where the page has no built script, as in tests. */
function ownBuild(): string | undefined {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''
  return /\/assets\/(index-[\w-]+)\.js/.exec(entry)?.[1]
}

export const newVersionIsThere = createStore(false)
let others = 0
let ownSeenAt = 0

/** @param build of the server that has answered; null: it does not tell */
export function noteBuild(build: string | null): void {
  if (build === null || newVersionIsThere.get()) return
  const own = ownBuild()
  if (own === undefined) return
  if (build === own) {
    others = 0
    ownSeenAt = performance.now()
    return
  }
  others += 1
  if (others < answersNeeded || performance.now() - ownSeenAt < silentMilliseconds) return
  newVersionIsThere.set(true)
}
