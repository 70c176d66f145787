import { useBlocker } from '@tanstack/react-router'
import { lazy, useEffect, useRef } from 'react'
import { openDialog } from './open-dialogs.ts'
import type { QuestionProps } from './Question.tsx'

const Question = lazy(async () => ({ default: (await import('./Question.tsx')).Question }))

export interface Confirmation extends Omit<QuestionProps, 'run'> {
  /** Does what is asked about; without it, the caller goes on with the answer. */
  run?: () => Promise<unknown>
}

/**
 * Asks before something is done, and does it. When that fails, the dialog shows why and stays open.
 * @returns whether it was agreed to and done. Closed while `run` is under way, the answer is how that ends.
 */
export async function confirm({ run, ...question }: Confirmation): Promise<boolean> {
  let answer = Promise.resolve(false)
  const start = async () => {
    const work = Promise.resolve(run?.())
    answer = work.then(
      () => true,
      () => false,
    )
    await work
  }
  await new Promise<void>((onClose) => openDialog(<Question {...question} run={start} />, { onClose }))
  return answer
}

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

/** Loads what asks beforehand, for where a question must come even when the connection is gone. */
function loadQuestion(): void {
  // The question itself shows a failure.
  void Promise.all([import('./DialogHost.tsx'), import('./Question.tsx')]).catch(() => undefined)
}
