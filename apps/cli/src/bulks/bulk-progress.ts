import type { Server } from '#connection/connect.ts'
import type { Progress } from '#terminal/progress.ts'

export async function bulkProgress(server: Server, id: string): Promise<Progress> {
  const { counts, total, waitsFor } = (await server.call('bulk', { params: { id } })).body
  const ended = counts.DONE + counts.FAILED + counts.SKIPPED + counts.CANCELLED
  const failed = counts.FAILED === 0 ? '' : `, ${counts.FAILED} failed`
  const waits = waitsFor.length === 0 ? '' : `, waits for ${waitsFor.join(', ')}`
  return { step: `${ended} of ${total}${failed}${waits}`, fraction: total === 0 ? null : ended / total, isCount: true }
}
