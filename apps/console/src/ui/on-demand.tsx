import i18next from 'i18next'
import { type ComponentType, lazy } from 'react'
import { toastError } from './toast.ts'

/** While servers are replaced one by one, the next try may reach one that has the file. */
const pauses = [300, 1000, 3000]

/** An older failure is not repeated: opening the part again loads it again. */
const sameAttemptMilliseconds = 500

/**
 * A component that is loaded when it is first shown, for what adds more than 5 kB (gzip) to a page: dialogs, menus and
 * popovers (Mantine's add 30 kB), charts, the editor, the palette, the toasts.
 * Like React's `lazy`, but tries again if loading fails, and once more whenever the part is opened again after that.
 */
export function onDemand<Name extends string, Module extends Record<Name, ComponentType<never>>>(
  load: () => Promise<Module>,
  name: Name,
): Module[Name] {
  let failedAt: number | null = null
  const attempt = () =>
    lazy(async () => {
      try {
        return { default: (await loadPatiently(load))[name] as unknown as ComponentType }
      } catch (error) {
        failedAt = performance.now()
        throw error
      }
    })
  let Part = attempt()
  function OnDemand(props: object) {
    if (failedAt !== null && performance.now() - failedAt > sameAttemptMilliseconds) {
      failedAt = null
      Part = attempt()
    }
    return <Part {...props} />
  }
  return OnDemand as unknown as Module[Name]
}

/** Imports a part of the console, and again after pauses if that fails. @throws what the last try throws */
async function loadPatiently<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const pause of pauses) {
    try {
      return await load()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
  return load()
}

/** Says that a part could not be shown, and that reloading the page helps if a new version is there. */
export function toastLoadFailed(): void {
  toastError(i18next.t('app:error.part.title'), i18next.t('app:error.part.text'))
}
