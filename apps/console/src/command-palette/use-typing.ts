import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const typingMilliseconds = 150

export interface Typing {
  query: string
  /** The query after a pause in typing. */
  settledQuery: string
  /** Whether Enter was pressed and waits for what the query finds. */
  isEntered: boolean
  type: (query: string) => void
  /** Remembers an Enter, and ends the pause in typing. */
  enter: () => void
  /** Takes the Enter back. */
  forgetEnter: () => void
}

/** What is typed into the palette. Typing on takes an Enter back. */
export function useTyping(): Typing {
  const [query, setQuery] = useState('')
  const [settledQuery, setSettledQuery] = useState('')
  const [isEntered, setIsEntered] = useState(false)
  const settleSoon = useDebouncedCallback(setSettledQuery, typingMilliseconds)
  return {
    query,
    settledQuery,
    isEntered,
    type: (typed) => {
      setIsEntered(false)
      setQuery(typed)
      settleSoon(typed)
    },
    enter: () => {
      setIsEntered(true)
      settleSoon.flush()
    },
    forgetEnter: () => setIsEntered(false),
  }
}
