import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { confirm, loadQuestion } from './confirm.tsx'

interface LeaveGuard {
  /** Whether something would be lost right now. */
  isNeeded: () => boolean
  title: string
  text: string
  stay: string
  leave: string
}

/** Asks before something is left behind, inside the console and when the tab closes. */
export function useLeaveGuard({ isNeeded, title, text, stay, leave }: LeaveGuard): void {
  const isAsking = useRef(false)
  useEffect(loadQuestion, [])
  const mayLeave = async () => {
    if (isAsking.current) return false
    isAsking.current = true
    const question = { title, question: text, cancel: stay, confirm: leave, danger: true, closesOutside: false }
    const answer = await confirm(question)
    isAsking.current = false
    return answer
  }
  useBlocker({
    shouldBlockFn: async ({ current, next }) => isNeeded() && current.pathname !== next.pathname && !(await mayLeave()),
    enableBeforeUnload: isNeeded,
  })
}
