/** Typing for tests of what a pause in it does. */
import type { Locator } from '@playwright/test'

/**
 * Types character by character as an operator who does not pause, however busy the machine is: between two keys of
 * `pressSequentially` a busy one may take longer than the console waits for the next.
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
