/** Types without a pause, for tests of inputs that react to pauses. */
import type { Locator } from '@playwright/test'

/**
 * Types character by character. `pressSequentially` would not do: on a busy machine, the time between two of its keys
 * may be longer than the pause that the console waits for.
 */
export async function typeAtOnce(field: Locator, text: string): Promise<void> {
  await field.focus()
  // Each microtask between two characters lets React draw what the one before has changed.
  await field.page().evaluate(`(async () => {
    for (const character of ${JSON.stringify([...text])}) {
      document.execCommand('insertText', false, character)
      await Promise.resolve()
    }
  })()`)
}
