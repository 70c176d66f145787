/** Notices that servers have another build of the console than this page is of. */

/** While servers are replaced one by one, both builds answer. Those of this page's must have been silent for a while. */
const silentMilliseconds = 10_000
const answersNeeded = 3

/** Asked when a server tells its build: without a page, as in tests, none does. */
function ownBuild(): string | undefined {
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? ''
  return /\/assets\/(index-[\w-]+)\.js/.exec(entry)?.[1]
}

let isThere = false
let others = 0
let ownSeenAt = 0
const listeners = new Set<() => void>()

/** @param build of the server that has answered; null: it does not tell */
export function noteBuild(build: string | null): void {
  if (build === null || isThere) return
  const own = ownBuild()
  if (own === undefined) return
  if (build === own) {
    others = 0
    ownSeenAt = performance.now()
    return
  }
  others += 1
  if (others < answersNeeded || performance.now() - ownSeenAt < silentMilliseconds) return
  isThere = true
  for (const listener of listeners) listener()
}

export function isNewVersionThere(): boolean {
  return isThere
}

export function onNewVersion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
