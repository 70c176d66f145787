import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { onDemand } from '../on-demand.tsx'
import { isPageHidden, openDialog } from './open-dialogs.ts'
import type { QuestionProps } from './Question.tsx'

const Question = onDemand(() => import('./Question.tsx'), 'Question')

export interface Confirmation extends Omit<QuestionProps, 'run'> {
  /** The action that was asked about; without it, the caller acts on the answer. */
  run?: () => Promise<unknown>
}

/**
 * Asks before an action and runs it. If the action fails, the dialog shows why and stays open.
 * @returns whether it was confirmed and done. If the dialog is closed while `run` is in progress, its result decides.
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

/** The page for which the operator has just agreed to lose what is unsaved: nothing asks a second time. */
let agreedPage: string | null = null

/** For a blocker: asks, unless what is unsaved elsewhere on the page has asked about the same navigation. */
export async function mayLeaveFor(page: string, ask: () => Promise<boolean>): Promise<boolean> {
  if (agreedPage === page) return true
  if (!(await ask())) return false
  agreedPage = page
  // By then all that block this navigation have been heard.
  setTimeout(() => {
    agreedPage = null
  })
  return true
}

interface LeaveGuard {
  /** Whether something would be lost now. */
  isNeeded: () => boolean
  title: string
  text: string
  stay: string
  leave: string
}

/** Asks before unsaved work is lost, on navigation in the console and when the tab is closed. */
export function useLeaveGuard({ isNeeded, title, text, stay, leave }: LeaveGuard): void {
  const isAsking = useRef(false)
  useEffect(loadQuestion, [])
  const mayLeave = async () => {
    if (isAsking.current || isPageHidden()) return false
    isAsking.current = true
    const question = { title, question: text, cancel: stay, confirm: leave, danger: true, closesOutside: false }
    const answer = await confirm(question)
    isAsking.current = false
    return answer
  }
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isNeeded() && current.pathname !== next.pathname && !(await mayLeaveFor(next.pathname, mayLeave)),
    enableBeforeUnload: isNeeded,
  })
}

/** Loads the dialog beforehand, so that it can ask even if the connection is lost by then. */
export function loadQuestion(): void {
  // If loading fails, opening the dialog shows the failure.
  void import('./Question.tsx').catch(() => undefined)
}
