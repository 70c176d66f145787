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
  const [typed, setTyped] = useState(text)
  const [reported, setReported] = useState(text)
  const [known, setKnown] = useState(text)
  if (text !== known) {
    setKnown(text)
    if (text !== reported) {
      setReported(text)
      setTyped(text)
    }
  }
  const report = (value: string) => {
    setReported(value)
    onText(value)
  }
  const reportSoon = useDebouncedCallback((value: string, path: string) => {
    if (location.pathname === path) report(value)
  }, typingMilliseconds)
  return {
    typed,
    type: (value: string) => {
      setTyped(value)
      reportSoon(value.trim(), location.pathname)
    },
    reportNow: (value: string) => {
      reportSoon.cancel()
      setTyped(value)
      report(value.trim())
    },
    isPending: () => reportSoon.isPending(),
  }
}
