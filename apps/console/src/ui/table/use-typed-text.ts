import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const typingMilliseconds = 300

/**
 * The text of a field that narrows a list: shown as it is typed, and reported without outer spaces when typing pauses.
 * It is not reported if the page was left before that, even if the next one is still loading: the operator must not be
 * led back to the list.
 * @param text as it is known outside; if it is changed there (Back, Reset filter), the field follows
 */
export function useTypedText(text: string, onText: (text: string) => void) {
  const [{ typed, known }, set] = useState({ typed: text, known: text })
  const reportSoon = useDebouncedCallback((value: string, path: string) => {
    if (location.pathname === path) onText(value)
  }, typingMilliseconds)
  const isPending = () => reportSoon.isPending()
  // What was reported comes back while the operator may be typing on, and without the spaces that were typed.
  if (text !== known) set({ typed: isPending() || text === typed.trim() ? typed : text, known: text })
  const show = (value: string) => set((before) => ({ ...before, typed: value }))
  return {
    typed,
    type: (value: string) => {
      show(value)
      reportSoon(value.trim(), location.pathname)
    },
    reportNow: (value: string) => {
      reportSoon.cancel()
      show(value)
      onText(value.trim())
    },
    isPending,
  }
}
