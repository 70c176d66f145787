/** The run over many rooms that goes on in this tab, whatever page is open; the last one until it is dismissed. */
import { useSyncExternalStore } from 'react'
import { readToken } from '#api/token.ts'

export type RunAction = 'suspend' | 'resume'

export interface BulkRun {
  action: RunAction
  total: number
  /** Rooms that were done. */
  done: number
  /** Rooms whose operation was accepted and still runs. */
  stillRunning: number
  /** Rooms that the server refused, by the text that says why. */
  refused: ReadonlyMap<string, readonly string[]>
  phase: 'running' | 'stopping' | 'ended'
}

let run: BulkRun | null = null
/** The session that the run belongs to. */
let token: string | null = null
const listeners = new Set<() => void>()

/** Null also after the session of the run has ended: nobody else may see which rooms it was about. */
export function currentRun(): BulkRun | null {
  if (run !== null && readToken() !== token) run = null
  return run
}

export function setRun(next: BulkRun | null): void {
  run = next
  token = readToken()
  for (const listener of listeners) listener()
}

export function useRun(): BulkRun | null {
  return useSyncExternalStore(subscribe, currentRun)
}

let screens = 0

/** Whether a dialog shows the run. */
export function isRunShown(): boolean {
  return screens > 0
}

/** For the dialog that shows the run. @returns its cleanup */
export function showRun(): () => void {
  screens += 1
  return () => {
    screens -= 1
  }
}

export function answeredOf({ done, stillRunning, refused }: BulkRun): number {
  return done + stillRunning + refusedOf(refused)
}

export function refusedOf(refused: BulkRun['refused']): number {
  return [...refused.values()].reduce((sum, names) => sum + names.length, 0)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
