import { useEffect, useState } from 'react'
import { whenActive } from '#api/client.ts'
import { endSession } from './session.ts'
import { noteCall, type SessionEnd, sessionEnd } from './session-times.ts'

const warnMilliseconds = 60_000

export interface Ending {
  reason: SessionEnd['reason']
  seconds: number
}

/** The last minute of the session, counted down; null before. @param onEnded must be stable; the page must be left */
export function useSessionEnding(onEnded: () => void): Ending | null {
  const [ending, setEnding] = useState<Ending | null>(null)
  useEffect(() => whenActive(() => noteCall()), [])
  useEffect(() => {
    const look = () => {
      const end = sessionEnd()
      const left = end === null ? Number.POSITIVE_INFINITY : end.at - Date.now()
      if (left <= 0) {
        endSession()
        onEnded()
      }
      const isNear = end !== null && left > 0 && left <= warnMilliseconds
      setEnding(isNear ? { reason: end.reason, seconds: Math.ceil(left / 1000) } : null)
    }
    // Looking every second costs nothing and survives a computer that was asleep.
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [onEnded])
  return ending
}
