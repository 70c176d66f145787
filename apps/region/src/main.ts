/**
 * Starts and stops a region server. SIGTERM and SIGINT end it after the requests under way. If another process started
 * it with an IPC channel, it reports `{ ready: true, port, instanceId }`, and it ends when the channel closes: it never
 * outlives a console that was killed, not even one killed while both were starting.
 */

import './collect-garbage-less.ts'
import { DataFolderInUse } from '#region-database.ts'
import { openRunningRegion } from '#running-region.ts'
import { readSettings, WrongSetting } from '#settings.ts'

const leave = () => process.exit(1)
process.once('disconnect', leave)
try {
  const running = await openRunningRegion(readSettings(process.env))
  const end = () => void running.close().then(() => process.exit(0), failed)
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  process.off('disconnect', leave).once('disconnect', end)
  console.log(`Region server '${running.name}' listens at ${running.url}`)
  process.send?.({ ready: true, port: running.port, instanceId: running.instanceId })
} catch (error) {
  failed(error)
}

function failed(error: unknown): void {
  const expected = error instanceof WrongSetting || error instanceof DataFolderInUse || isListenError(error)
  console.error(expected ? error.message : error)
  process.exit(1)
}

function isListenError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen'
}
